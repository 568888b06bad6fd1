import { type RawBuilder, sql } from 'kysely'
import { RECORD, reactionFlags } from '../contents/load.ts'
import { type ContentRecord, type ContentRecordRow, tagKey, toContent } from '../contents/schema.ts'
import type { Handle } from '../db/handle.ts'
import { type Dialect, rawQuery, statement, statementFamily } from '../db/statement.ts'
import type { Category, ContentType } from '../db/tables.ts'
import { isLeftOut } from '../db/user-filters.ts'
import { BODY_MAX, KINDS, markOf, searchedBody, textOfTags } from '../indexing/documents.ts'
import { Field, type Query, scoreOf, type WeightedField } from '../indexing/tokens.ts'
import {
  ALL_CANDIDATES_MAX,
  type Candidate,
  CANDIDATES_MAX,
  CHUNK,
  type Source,
} from './collect.ts'
import { matchAll, matchAny } from './expressions.ts'
import {
  candidatesStatement,
  documents,
  type LimitedLookup,
  listNewest,
  listUpTo,
} from './found.ts'
import { Turns } from './turns.ts'

/** Maximum creators with matching names whose contents the search adds to the candidates. */
const CREATORS_MAX = 2000

export interface Filters {
  category?: Category | undefined
  type?: ContentType | undefined
  tag?: string | undefined
  creatorId?: string | undefined
}

interface Choices {
  category: boolean
  type: boolean
  tag: boolean
  creator: boolean
}

type Bound = {
  category: Category
  type: ContentType
  tag: string
  creatorId: string
}

const hasTag = (tag: string) =>
  sql`stats.content_id = (select tagged.content_id from content_tags as tagged
    where tagged.tag = ${tag} and tagged.content_id = stats.content_id)`

/** Returns conditions on `stats` that each begin with `and`. */
function filtersOf(p: Bound, choices: Choices): RawBuilder<unknown> {
  return sql`${choices.category ? sql`and stats.category = ${p.category}` : sql``}
    ${choices.creator ? sql`and stats.creator_id = ${p.creatorId}` : sql``}
    ${choices.tag ? sql`and ${hasTag(p.tag)}` : sql``}
    ${choices.type ? sql`and stats.type = ${p.type}` : sql``}`
}

const CANDIDATE = sql`stats.content_id as id, stats.published_at as date, stats.hot_score as popularity`

const candidates = statementFamily((choices: Choices & { isNewest: boolean }) =>
  candidatesStatement(
    choices,
    (p: Bound) => sql<Candidate>`select ${CANDIDATE}
      from found cross join content_stats as stats
      where stats.content_id = found.id and stats.is_public = 1 ${filtersOf(p, choices)}`,
  ),
)

type NamedRow = { id: string; handle: string; display_name: string; content_count: number }

const named = statement((q, p: LimitedLookup, dialect) =>
  rawQuery<NamedRow>(
    q,
    sql`with found as materialized ${documents(p, dialect, false)}
      select users.id, users.handle, users.display_name, counts.content_count
      from found cross join users cross join user_counts as counts
      where users.id = found.id and counts.user_id = found.id`,
  ),
)

const byCreators = statementFamily((choices: Choices) =>
  statement((q, p: Bound & { ids: string[]; limit: number }, dialect) =>
    rawQuery<Candidate>(
      q,
      sql`select ${CANDIDATE} from content_stats as stats
        where stats.is_public = 1 and ${dialect.anyOf('stats.creator_id', p.ids)}
          ${filtersOf(p, choices)}
        order by stats.published_at desc, stats.content_id desc limit ${p.limit}`,
    ),
  ),
)

export type TextsRow = Pick<
  ContentRecordRow,
  'id' | 'title' | 'description' | 'tags' | 'handle' | 'display_name'
> & {
  body: string | null
}

/**
 * Selects only the searched part of an article, its first BODY_MAX characters, because a search holds many articles
 * in memory at once.
 */
const BODY = sql`substr(texts.body, 1, ${sql.lit(BODY_MAX)}) as body`

export const TEXTS = sql`contents.id, contents.title, contents.description, contents.tags, users.handle,
  users.display_name, ${BODY}`
const WITH_CREATOR = sql`join users on users.id = contents.creator_id
  left join content_texts as texts on texts.content_id = contents.id`
export const WITH_TEXTS = sql`join contents on contents.id = stats.content_id ${WITH_CREATOR}`

export function contentFields(row: TextsRow): WeightedField[] {
  const { title, tags, handle, display_name, description, body } = row
  return [
    { field: new Field(title), weight: 4 },
    { field: new Field(textOfTags(tags)), weight: 3 },
    { field: new Field(handle), weight: 2 },
    { field: new Field(display_name), weight: 2 },
    { field: new Field(description), weight: 1 },
    { field: new Field(body && searchedBody(body)), weight: 1 },
  ]
}

const texts = statement((q, p: { ids: string[] }, dialect) =>
  rawQuery<TextsRow>(
    q,
    sql`select ${TEXTS} from contents ${WITH_CREATOR} where ${dialect.anyOf('contents.id', p.ids)}`,
  ),
)

type WalkedRow = TextsRow & Candidate & { is_included: number }

/**
 * Selects the next rows, newest publication first. Filters without an index apply after the limit and only set
 * `is_included`. Otherwise the statement would read many rows to find a rare type.
 */
const walk = statementFamily((choices: Choices & { isFirst: boolean }) =>
  statement((q, p: Bound & { date: number; id: string }) => {
    const { isFirst, tag, creator, category } = choices
    const next = isFirst ? sql`` : sql`and (published_at, content_id) < (${p.date}, ${p.id})`
    const within = sql`${next} ${category ? sql`and category = ${p.category}` : sql``}
      order by published_at desc, content_id desc limit ${sql.lit(CHUNK)}`
    // Reads the columns of `content_stats` in this subquery. If the outer query joined them, PostgreSQL would choose an
    // order that reads many rows.
    const rows =
      tag && !creator
        ? sql`select found.* from (select content_id from content_tags where tag = ${p.tag} ${within})
            as newest join content_stats as found on found.content_id = newest.content_id`
        : sql`select * from content_stats where is_public = 1
            ${creator ? sql`and creator_id = ${p.creatorId}` : sql``} ${within}`
    return rawQuery<WalkedRow>(
      q,
      sql`select ${CANDIDATE}, ${TEXTS},
          case when stats.is_public = 1 ${filtersOf(p, choices)} then 1 else 0 end as is_included
        from (${rows}) as stats ${WITH_TEXTS}
        order by stats.published_at desc, stats.content_id desc`,
    )
  }),
)

/** Returns a `Source` of the public contents that the filters allow, the same for every viewer. */
export function contentSource(db: Handle, query: Query, filters: Filters): Source {
  const { category, type, tag, creatorId } = filters
  const choices: Choices = {
    category: category !== undefined,
    type: type !== undefined,
    tag: tag !== undefined,
    creator: creatorId !== undefined,
  }
  const bound: Bound = {
    category: category ?? 'hype',
    type: type ?? 'video',
    tag: tag === undefined ? '' : tagKey(tag),
    creatorId: creatorId ?? '',
  }
  const marks = [category, type].flatMap((name) => (name === undefined ? [] : [markOf(name)]))
  const paramsOf = (terms: Query) => ({
    bound,
    lookup: matchAll(db.engine, KINDS.contents, terms, marks),
  })
  const statementOf = (amount: { isNewest: boolean }) => candidates({ ...choices, ...amount })

  /** Returns the creators whose names match a term. `isCut` is true when the index finds more than CREATORS_MAX. */
  async function listNamed({
    terms,
    exclusions,
  }: Query): Promise<{ creators: NamedRow[]; isCut: boolean }> {
    const lookup = matchAny(db.engine, KINDS.names, { terms, exclusions })
    if (!lookup) return { creators: [], isCut: false }
    const rows = await db.all(named, { ...lookup, limit: CREATORS_MAX + 1 })
    const creators = rows.filter(({ id, handle, display_name, content_count }) => {
      const names = [new Field(handle), new Field(display_name)]
      const matchesCreator = creatorId === undefined || creatorId === id
      return (
        matchesCreator &&
        content_count > 0 &&
        terms.some((term) => names.some((name) => term.matches(name)))
      )
    })
    return { creators, isCut: rows.length > CREATORS_MAX }
  }

  const listOf = async (creators: NamedRow[], limit: number) =>
    creators.length === 0
      ? []
      : db.all(byCreators(choices), { ...bound, ids: creators.map(({ id }) => id), limit })

  return {
    async listCandidates(terms, most) {
      const { creators, isCut } = await listNamed(terms)
      const count = creators.reduce((sum, { content_count }) => sum + content_count, 0)
      if (isCut || count > most) return undefined
      const found = await listUpTo(db, statementOf, paramsOf(terms), most)
      return found && withoutDuplicates([...found, ...(await listOf(creators, most))])
    },
    async listAllCandidates() {
      const { creators } = await listNamed(query)
      const found = await listNewest(db, statementOf, paramsOf(query), ALL_CANDIDATES_MAX)
      return withoutDuplicates([...found, ...(await listOf(creators, CANDIDATES_MAX))])
    },
    async walk(after) {
      const { date = 0, id = '' } = after ?? {}
      const rows = await db.all(walk({ ...choices, isFirst: after === undefined }), {
        ...bound,
        date,
        id,
      })
      return rows.map((row) => ({
        id: row.id,
        date: row.date,
        popularity: row.popularity,
        isIncluded: row.is_included === 1,
        fields: contentFields(row),
      }))
    },
    async listTexts(ids) {
      const rows = await db.all(texts, { ids })
      return rows.map((row) => ({ id: row.id, fields: contentFields(row) }))
    },
  }
}

function withoutDuplicates(rows: Candidate[]): Candidate[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()]
}

const records = statementFamily(({ signedIn }: { signedIn: boolean }) =>
  statement((q, p: { ids: string[]; viewerId: string }, dialect: Dialect) =>
    rawQuery<ContentRecordRow & { body: string | null }>(
      q,
      sql`select ${RECORD}, ${reactionFlags(signedIn, p.viewerId)}, ${BODY}
        from content_stats as stats ${WITH_TEXTS}
        where stats.is_public = 1 and ${dialect.anyOf('stats.content_id', p.ids)}
          and ${isLeftOut(signedIn ? p.viewerId : null)} = 0`,
    ),
  ),
)

/**
 * Returns the contents with these ids, in the order of the ids. Omits contents that no longer match or are no longer
 * public. Also omits contents that the viewer's lists omit (`isLeftOut`).
 */
export async function loadFoundContents(
  db: Handle,
  query: Query,
  ids: string[],
  viewerId: string | null,
) {
  if (ids.length === 0) return []
  const rows = await db.all(records({ signedIn: viewerId !== null }), {
    ids,
    viewerId: viewerId ?? '',
  })
  const byId = new Map(rows.map((row) => [row.id, row]))
  const turns = new Turns()
  const found: ContentRecord[] = []
  for (const id of ids) {
    const row = byId.get(id)
    if (row && scoreOf(query, contentFields(row)) !== undefined)
      found.push(toContent(row, viewerId))
    await turns.pass()
  }
  return found
}
