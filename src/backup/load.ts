/**
 * Fills an empty database with the rows of another database. A marker table keeps servers from using the database
 * until all rows are present. Each transaction inserts a batch of rows and stores the position where a later attempt
 * resumes.
 */
import { randomUUID } from 'node:crypto'
import type { Db, Run, ScriptRow, Tx } from '../db/handle.ts'
import {
  type AppliedMigration,
  beginSchema,
  finishSchema,
  inMigration,
  listMigrations,
  UnfinishedRestore,
} from '../db/migrate.ts'
import type { Statement } from '../db/statement.ts'
import { DERIVED_TABLES, isEmpty, listTables, type Table } from './catalog.ts'
import { type Digest, keyOf, type Line, literal, quote } from './rows.ts'

export interface Source {
  id: string
  migrations: readonly AppliedMigration[]
}

/**
 * Position of the last inserted row: its table (null before the first row), its key, and the number of rows in that
 * table so far.
 */
export interface Place {
  table: string | null
  rows: number
  key: (string | number | null)[]
}

/** An interrupted attempt to fill the database. Only an attempt from the same source resumes it. */
export interface Earlier {
  isResumed: boolean
  reached: Place
}

/** The database contains data that neither a restore nor a copy wrote. */
export class NotEmpty extends Error {
  override name = 'NotEmpty'
}

/** Another process has started to fill the same database, so this process must stop. */
class TakenOver extends Error {
  override name = 'TakenOver'
}

type Values = { values: readonly (string | number | null)[] }

const PLACE = `create table unfinished_restore (
  source text not null, run text not null, "table" text, rows bigint not null, key text not null
)`

/**
 * An attempt to fill a database. When several processes fill it, the one that started last continues; the
 * others throw TakenOver.
 */
export class Filling {
  readonly db: Db
  readonly tables: ReadonlyMap<string, Table>
  /** Position of the last row inserted by the attempts that this one resumes. */
  readonly reached: Place
  /** The interrupted attempt that was found; undefined when the database was empty. */
  readonly earlier: Earlier | undefined
  readonly #run: string

  private constructor(db: Db, run: string, tables: Table[], earlier: Earlier | undefined) {
    this.db = db
    this.#run = run
    this.tables = new Map(tables.map((table) => [table.name, table]))
    this.reached = earlier?.isResumed ? earlier.reached : NOWHERE
    this.earlier = earlier
  }

  /**
   * Begins to fill a database. Resumes an interrupted attempt from the same source. Deletes the rows of an
   * interrupted attempt from another source. Errors: NotEmpty, NewerSchema.
   */
  static async begin(db: Db, source: Source): Promise<Filling> {
    const run = randomUUID()
    return db.script(async (text) => {
      // A dangling reference must not stop the restore; `plaza doctor` reports it. SQLite accepts this pragma only
      // outside a transaction.
      if (db.engine === 'sqlite') await text('pragma foreign_keys = off')
      return inMigration(db, text, async () => {
        const earlier = await claim(db, text, source, run)
        return new Filling(db, run, await listTables(db.engine, text), earlier)
      })
    })
  }

  /**
   * Inserts rows, and stores the position of the last row in the same transaction. Returns the position. Errors:
   * TakenOver.
   */
  async add(table: Table, lines: readonly Line[], rowsBefore: number): Promise<Place> {
    const place: Place = {
      table: table.name,
      rows: rowsBefore + lines.length,
      key: keyOf(table, lines.at(-1) as Line),
    }
    await this.db.transaction(async (tx) => {
      await this.#move(tx, place)
      await insert(tx, table, lines)
    })
    return place
  }

  /** Completes the schema and removes the marker, so that servers can use the database. Errors: TakenOver. */
  async finish({ migrations }: Source): Promise<void> {
    await this.db.script(async (text) => {
      await inMigration(this.db, text, async () => {
        await this.#requireOwn(text)
        await text('drop table unfinished_restore')
        await finishSchema(this.db, text, migrations)
        // PostgreSQL would otherwise collect the statistics for query plans only gradually.
        if (this.db.engine === 'postgres') await text('analyze')
      })
      if (this.db.engine === 'sqlite') await text('pragma foreign_keys = on')
    })
  }

  /** Drops all tables, so that the next attempt starts over. Errors: TakenOver. */
  async undo(): Promise<void> {
    await this.db.script((text) =>
      inMigration(this.db, text, async () => {
        await this.#requireOwn(text)
        await dropAll(this.db, text)
      }),
    )
  }

  async #requireOwn(text: Run): Promise<void> {
    const [row] = await text('select run from unfinished_restore')
    if (row?.['run'] !== this.#run) throw takenOver()
  }

  async #move(tx: Tx, { table, rows, key }: Place): Promise<void> {
    const values = [table, rows, JSON.stringify(key), this.#run]
    if ((await tx.run(MOVE, { values })) !== 1) throw takenOver()
  }
}

const MOVE = rawQuery('restore_place', {
  sqlite: 'update unfinished_restore set "table" = ?, rows = ?, key = ? where run = ?',
  postgres: 'update unfinished_restore set "table" = $1, rows = $2, key = $3 where run = $4',
})

const NOWHERE: Place = { table: null, rows: 0, key: [] }

async function claim(db: Db, text: Run, source: Source, run: string): Promise<Earlier | undefined> {
  let earlier: Earlier | undefined
  if (!(await isEmpty(db.engine, text))) {
    const found = await findUnfinished(text)
    if (!found) {
      throw new NotEmpty('the database is not empty')
    }
    const reached = {
      table: found['table'] as string | null,
      rows: Number(found['rows']),
      key: JSON.parse(String(found['key'])),
    }
    earlier = { isResumed: found['source'] === source.id, reached }
    if (earlier.isResumed) {
      await text(`update unfinished_restore set run = '${run}'`)
      return earlier
    }
    await dropAll(db, text)
  }
  await beginSchema(db, text, source.migrations.length)
  // Deletes the rows that migrations have inserted. Rows from the source replace them.
  const tables = await listTables(db.engine, text)
  for (const { name } of tables.toReversed()) await text(`delete from ${quote(name)}`)
  await text(PLACE)
  await text(
    `insert into unfinished_restore (source, run, rows, key) values (${literal(source.id)}, '${run}', 0, '[]')`,
  )
  return earlier
}

/** Returns the row of `unfinished_restore`, or undefined when no attempt was interrupted. */
async function findUnfinished(text: Run): Promise<ScriptRow | undefined> {
  try {
    await text('savepoint looking')
    await listMigrations(text)
    return undefined
  } catch (error) {
    await text('rollback to savepoint looking')
    if (!(error instanceof UnfinishedRestore)) return undefined
    return (await text('select source, "table", rows, key from unfinished_restore'))[0]
  }
}

/** Drops all tables. This is safe, because the database was empty before the restore created them. */
async function dropAll(db: Db, text: Run): Promise<void> {
  const tables = await listTables(db.engine, text)
  const names = tables.toReversed().map(({ name }) => name)
  for (const name of [...names, ...DERIVED_TABLES, 'unfinished_restore', 'schema_migrations']) {
    await text(`drop table if exists ${quote(name)}`)
  }
}

function takenOver(): TakenOver {
  return new TakenOver('another restore into this database has started: stopping this one')
}

const inserts = new Map<string, Statement<Values, unknown>>()

/** Inserts rows. On PostgreSQL, sends all rows in one JSON parameter, which saves round trips. */
async function insert(tx: Tx, table: Table, lines: readonly Line[]): Promise<void> {
  const names = table.columns.map(({ name }) => quote(name)).join(', ')
  const id = `${tx.engine} ${table.name} ${names}`
  let statement = inserts.get(id)
  if (!statement) {
    const placeholders = table.columns.map(() => '?').join(', ')
    const values = table.columns.map(({ type }, index) => `(line ->> ${index})::${type}`).join(', ')
    statement = rawQuery(`restore_${table.name}`, {
      sqlite: `insert into ${quote(table.name)} (${names}) values (${placeholders})`,
      postgres: `insert into ${quote(table.name)} (${names})
        select ${values} from jsonb_array_elements($1::jsonb) as line`,
    })
    inserts.set(id, statement)
  }
  const list = `[${lines.join(',')}]`
  if (tx.engine === 'postgres') return void (await tx.run(statement, { values: [list] }))
  for (const values of JSON.parse(list) as Values['values'][]) await tx.run(statement, { values })
}

/**
 * Returns a statement from SQL text. The query builder cannot be used, because the tables are known only at run
 * time.
 */
function rawQuery(
  name: string,
  texts: { sqlite: string; postgres: string },
): Statement<Values, unknown> {
  return {
    compiled: (engine) => ({
      name,
      sql: texts[engine],
      bind: (params) => [...((params as Values).values as unknown[])],
    }),
  }
}

/** Checks that two digests of a table are equal. Errors: Different. */
export function requireEqual(table: string, found: Digest, expected: Digest): void {
  if (found.rows === expected.rows && found.sha256 === expected.sha256) return
  throw new Different(
    `${table} has ${found.rows} rows (${found.sha256.slice(0, 12)}…), expected were ${expected.rows} (${expected.sha256.slice(0, 12)}…)`,
  )
}

/** The rows or columns of the filled database differ from those of the source. */
export class Different extends Error {
  override name = 'Different'
}
