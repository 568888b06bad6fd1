import { sql } from 'kysely'
import { tagKey } from '../contents/schema.ts'
import type { Handle } from '../db/handle.ts'
import { type Dialect, rawQuery, statement, statementFamily } from '../db/statement.ts'
import { KINDS, tagId } from '../indexing/documents.ts'
import { Field, type Query } from '../indexing/tokens.ts'
import { ALL_CANDIDATES_MAX, CHUNK, type Source } from './collect.ts'
import { matchAll } from './expressions.ts'
import { documents, type LimitedLookup } from './found.ts'

export type TagRow = { tag: string; content_count: number }

/** Selects the tags that lists may show: used by public content and not hidden. */
export const shownTags = (where: unknown) =>
  sql<TagRow>`select tag, content_count from tags
    where content_count > 0 and is_hidden = 0 and ${where}`

const candidates = statement((q, p: LimitedLookup, dialect: Dialect) =>
  rawQuery(
    q,
    shownTags(sql`tag in (select substr(id, 2) from ${documents(p, dialect, true)} as found)`),
  ),
)

const walk = statementFamily(({ isFirst }: { isFirst: boolean }) =>
  statement((q, p: { after: string }) => {
    const rows = shownTags(isFirst ? sql`true` : sql`tag > ${p.after}`)
    return rawQuery<TagRow>(q, sql`${rows} order by tag limit ${sql.lit(CHUNK)}`)
  }),
)

/**
 * Returns a tag as a candidate. `date` is the tag's number of contents, because a search with too many matches keeps
 * the candidates with the highest `date`.
 */
const toCandidate = ({ tag, content_count }: TagRow) => ({
  id: tagId(tag),
  date: content_count,
  popularity: content_count,
})

const fieldsOf = (tag: string) => [{ field: new Field(tag), weight: 1 }]

export function tagSource(db: Handle, query: Query): Source {
  const lookup = matchAll(db.engine, KINDS.tags, query)
  const listAllCandidates = async () => {
    if (!lookup) return []
    const rows = await db.all(candidates, { ...lookup, limit: ALL_CANDIDATES_MAX })
    return rows.map(toCandidate)
  }
  return {
    listCandidates: listAllCandidates,
    listAllCandidates,
    async walk(after) {
      const rows = await db.all(walk({ isFirst: after === undefined }), {
        after: after?.id.slice(1) ?? '',
      })
      return rows.map((row) => ({
        ...toCandidate(row),
        isIncluded: true,
        fields: fieldsOf(row.tag),
      }))
    },
    listTexts: async (ids) => ids.map((id) => ({ id, fields: fieldsOf(id.slice(1)) })),
  }
}

const counts = statement((q, p: { tags: string[] }, dialect) =>
  rawQuery(q, shownTags(dialect.anyOf('tag', p.tags))),
)

/** Returns the tags with these document ids, in the order of the ids. Leaves out tags that are no longer shown. */
export async function loadFoundTags(db: Handle, ids: string[]): Promise<TagRow[]> {
  if (ids.length === 0) return []
  const rows = await db.all(counts, { tags: ids.map((id) => id.slice(1)) })
  const byId = new Map(rows.map((row) => [tagId(row.tag), row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const prefixed = statement((q, p: { from: string; to: string; limit: number }) =>
  rawQuery<TagRow>(
    q,
    sql`${shownTags(sql`tag >= ${p.from} and tag < ${p.to}`)}
      order by content_count desc, tag limit ${p.limit}`,
  ),
)

/** Returns the most used tags that begin with this text. */
export function listTagsByPrefix(db: Handle, text: string, limit: number): Promise<TagRow[]> {
  return db.all(prefixed, { ...prefixRange(text), limit })
}

/** Returns the bounds of the tags that begin with this text: `from` is included, `to` is not. */
export function prefixRange(text: string) {
  const from = tagKey(text)
  return { from, to: `${from}\u{10ffff}` }
}
