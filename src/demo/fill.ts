import { queueConversions } from '../contents/conversion.ts'
import { tagKey } from '../contents/schema.ts'
import { updateCategoryTotal, updateTagTotals } from '../contents/visibility-queries.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { type Row, statement } from '../db/statement.ts'
import { lockTimeline, updateTimeline } from '../posts/queries.ts'
import { insertStored } from '../uploads/rules.ts'
import { updateMemberTotal } from '../users/accounts.ts'
import { INSERTS } from './inserts.ts'
import { listFillings } from './rows.ts'
import type { Stock } from './stock.ts'
import type { World } from './world.ts'

/** Rows that go in with one statement. */
const BATCH = 2000

export interface Progress {
  /** What is made or written now. */
  step: string
  done: number
  total: number
}

const anyone = statement((q) => q.selectFrom('users').select('handle').limit(1))

/** Throws unless there is nobody yet. */
export async function requireEmpty(db: Handle): Promise<void> {
  if (await db.first(anyone, {})) {
    throw new Error('there are accounts in this database already: demo fills an empty one only')
  }
}

/**
 * Writes the community, all of it or nothing, so that what reads meanwhile never sees a count
 * without its rows.
 */
export function fill(
  db: Handle,
  world: World,
  passwordHash: string,
  onProgress: (progress: Progress) => void,
): Promise<void> {
  return db.transaction(async (tx) => {
    await requireEmpty(tx)
    await addStock(tx, world.stock)
    const fillings = listFillings(world, passwordHash)
    const total = fillings.reduce((sum, { count }) => sum + count, 0)
    let done = 0
    for (const { table, count, row } of fillings) {
      for (let start = 0; start < count; start += BATCH) {
        const rows: Row[] = []
        for (let at = start; at < Math.min(start + BATCH, count); at++) rows.push(row(at))
        await tx.run(INSERTS[table], { rows })
        done += rows.length
        onProgress({ step: `writing ${table}`, done, total })
      }
    }
    await addToTotals(tx, world)
  })
}

/** The files, and for those that browsers should have in other forms a conversion, once a server runs. */
async function addStock(tx: Tx, { pictures, faces, tunes, videos, games }: Stock): Promise<void> {
  const all = [
    ...[...pictures, ...videos, ...games].map(({ stored }) => stored),
    ...games.map(({ cover }) => cover),
    ...faces,
    ...tunes,
  ]
  for (const stored of all) await insertStored(tx, stored)
  await queueConversions(
    tx,
    all.map(({ file }) => file),
    Date.now(),
  )
}

async function addToTotals(tx: Tx, { people, works, posts }: World): Promise<void> {
  await updateMemberTotal(tx, people.length)
  const tagged = works
    .filter(({ is_public }) => is_public)
    .flatMap(({ tags, category }) => tags.map((tag) => ({ tag: tagKey(tag), category })))
  await updateTagTotals(tx, tagged, [])
  for (const category of ['hype', 'jump', 'swipe'] as const) {
    const count = works.filter((work) => work.is_public && work.category === category).length
    await updateCategoryTotal(tx, category, count)
  }
  const lastPost = posts
    .filter(({ parent }) => !parent)
    .reduce((last, { id }) => (id > last ? id : last), (await lockTimeline(tx)) ?? '')
  if (lastPost) await updateTimeline(tx, lastPost)
}
