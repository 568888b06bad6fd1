import type { Db, Handle } from '../db/handle.ts'
import { statement } from '../db/statement.ts'

const sample = statement((q, p: { limit: number }) =>
  q.selectFrom('files').select('path').orderBy('sha256').limit(p.limit),
)

/** Returns the paths of the `limit` files with the lowest hashes. Hashes look random, so this is a random sample. */
export function listSample(db: Handle, limit: number) {
  return db.all(sample, { limit })
}

/** Returns the time of the database's first migration in epoch milliseconds. */
export async function findBirth(db: Db): Promise<number> {
  const [row] = await db.script((run) =>
    run('select min(applied_at) as time from schema_migrations'),
  )
  return Number(row?.['time'])
}
