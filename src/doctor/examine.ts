import type { Db, Run } from '../db/handle.ts'
import { withSnapshot } from '../db/snapshot.ts'
import type { Engine } from '../db/statement.ts'
import { listChecks } from './checks.ts'
import { examineDocuments } from './search.ts'

const HOUR_MS = 3_600_000

export interface Drift {
  name: string
  drift: number
  example: string | null
}

export interface Findings {
  engine: Engine
  schema: number
  counts: Drift[]
  /** Messages about damaged or missing data. */
  damage: string[]
  admins: number
  overdue: number
}

/** Examines a snapshot of the database without blocking writers. On SQLite, also runs its integrity checks. */
export function examineDatabase(db: Db): Promise<Findings> {
  return withSnapshot(db, (run) => examineSnapshot(db.engine, run))
}

async function examineSnapshot(engine: Engine, run: Run): Promise<Findings> {
  const number = async (text: string) => Number((await run(text))[0]?.['n'])
  const schema = await number('select max(number) as n from schema_migrations')
  const counts: Drift[] = []
  for (const { name, sql } of listChecks(engine)) {
    const [row] = await run(
      `select count(*) as drift, cast(min(id) as text) as example from (${sql}) as drifted`,
    )
    counts.push({
      name,
      drift: Number(row?.['drift']),
      example: (row?.['example'] as string | null) ?? null,
    })
  }
  counts.push(...(await examineDocuments(run)))
  return {
    engine,
    schema,
    counts,
    damage: engine === 'sqlite' ? await listDamage(run) : [],
    admins: await number(
      "select count(*) as n from users where role = 'admin' and is_suspended = 0",
    ),
    overdue: await number(`select count(*) as n from jobs where due_at < ${Date.now() - HOUR_MS}`),
  }
}

/** Describes broken pages, indexes and references (SQLite, PRAGMA integrity_check and foreign_key_check). */
async function listDamage(run: Run): Promise<string[]> {
  const pages = await run('pragma integrity_check')
  const orphans = await run('pragma foreign_key_check')
  return [
    ...pages.map((row) => String(row['integrity_check'])).filter((text) => text !== 'ok'),
    ...orphans.map((row) => `a row of ${String(row['table'])} refers to a missing row`),
  ]
}
