/**
 * Fills an empty database with the rows of another one. Until all of it is there no version of Plaza
 * serves it, or takes it for empty: a mark stands in its schema. Each batch of rows is one
 * transaction with the place it reaches, so who begins again goes on from there.
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
import { isEmpty, listTables, type Table } from './catalog.ts'
import { type Digest, keyOf, type Line, literal, quote } from './rows.ts'

/** Where the rows come from, and of which schema. */
export interface Source {
  /** Two that are equal give equal rows. */
  id: string
  migrations: readonly AppliedMigration[]
}

/** How far one table has been filled. */
export interface Place {
  /** Null before the first. */
  table: string | null
  rows: number
  /** Key of the last row. */
  key: (string | number | null)[]
}

/** What an unfinished attempt had left: to be gone on with, or of another source and so taken away. */
export interface Earlier {
  isGoneOnWith: boolean
  reached: Place
}

/** There is something in the database that did not come from this restore. */
export class NotEmpty extends Error {
  override name = 'NotEmpty'
}

/** Another process has begun to fill the same database. */
class TakenOver extends Error {
  override name = 'TakenOver'
}

type Values = { values: readonly (string | number | null)[] }

const PLACE = `create table unfinished_restore (
  source text not null, run text not null, "table" text, rows bigint not null, key text not null
)`

/**
 * A database that is being filled. Of several processes that fill one, who came last goes on, and
 * the others get TakenOver.
 */
export class Filling {
  readonly db: Db
  readonly tables: ReadonlyMap<string, Table>
  /** How far earlier attempts came. */
  readonly reached: Place
  /** What was found; undefined where the database was empty. */
  readonly earlier: Earlier | undefined
  readonly #run: string

  private constructor(db: Db, run: string, tables: Table[], earlier: Earlier | undefined) {
    this.db = db
    this.#run = run
    this.tables = new Map(tables.map((table) => [table.name, table]))
    this.reached = earlier?.isGoneOnWith ? earlier.reached : NOWHERE
    this.earlier = earlier
  }

  /**
   * Begins in an empty database, goes on in what was begun from the same source, and begins anew in
   * what was begun from another. Throws NotEmpty, NewerSchema.
   */
  static async begin(db: Db, source: Source): Promise<Filling> {
    const run = randomUUID()
    return db.script(async (text) => {
      // What does not refer is copied as it is, for doctor to find. Set between transactions only.
      if (db.engine === 'sqlite') await text('pragma foreign_keys = off')
      return inMigration(db, text, async () => {
        const earlier = await claim(db, text, source, run)
        return new Filling(db, run, await listTables(db.engine, text), earlier)
      })
    })
  }

  /** Adds rows, in the order of the table's columns, after the place that was reached. Gives the new place. */
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

  /** Makes a database of it that can be served: everything is there. */
  async finish({ migrations }: Source): Promise<void> {
    await this.db.script(async (text) => {
      await inMigration(this.db, text, async () => {
        await this.#requireOwn(text)
        await text('drop table unfinished_restore')
        await finishSchema(text, migrations)
        // What plans follow from is gathered by and by otherwise.
        if (this.db.engine === 'postgres') await text('analyze')
      })
      if (this.db.engine === 'sqlite') await text('pragma foreign_keys = on')
    })
  }

  /** Takes everything away again, for a next attempt to begin anew. */
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

const MOVE = bare('restore_place', {
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
    earlier = { isGoneOnWith: found['source'] === source.id, reached }
    if (earlier.isGoneOnWith) {
      await text(`update unfinished_restore set run = '${run}'`)
      return earlier
    }
    await dropAll(db, text)
  }
  await beginSchema(db, text, source.migrations.length)
  // Migrations put rows into some of them.
  const tables = await listTables(db.engine, text)
  for (const { name } of tables.toReversed()) await text(`delete from ${quote(name)}`)
  await text(PLACE)
  await text(
    `insert into unfinished_restore (source, run, rows, key) values (${literal(source.id)}, '${run}', 0, '[]')`,
  )
  return earlier
}

/** What an attempt left that did not come to its end. */
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

/** Everything in it was made by a restore: it was empty before. */
async function dropAll(db: Db, text: Run): Promise<void> {
  const tables = await listTables(db.engine, text)
  const names = tables.toReversed().map(({ name }) => name)
  for (const name of [...names, 'unfinished_restore', 'schema_migrations']) {
    await text(`drop table ${quote(name)}`)
  }
}

function takenOver(): TakenOver {
  return new TakenOver('another restore into this database has begun: this one ends')
}

const inserts = new Map<string, Statement<Values, unknown>>()

/** On PostgreSQL all rows at once, from their JSON; SQLite, which is in this process, takes them one by one. */
async function insert(tx: Tx, table: Table, lines: readonly Line[]): Promise<void> {
  const names = table.columns.map(({ name }) => quote(name)).join(', ')
  const id = `${tx.engine} ${table.name} ${names}`
  let statement = inserts.get(id)
  if (!statement) {
    const slots = table.columns.map(() => '?').join(', ')
    const values = table.columns.map(({ type }, at) => `(line ->> ${at})::${type}`).join(', ')
    statement = bare(`restore_${table.name}`, {
      sqlite: `insert into ${quote(table.name)} (${names}) values (${slots})`,
      postgres: `insert into ${quote(table.name)} (${names})
        select ${values} from jsonb_array_elements($1::jsonb) as line`,
    })
    inserts.set(id, statement)
  }
  const list = `[${lines.join(',')}]`
  if (tx.engine === 'postgres') return void (await tx.run(statement, { values: [list] }))
  for (const values of JSON.parse(list) as Values['values'][]) await tx.run(statement, { values })
}

/** A statement of text, for what has a form only once the tables are known. */
function bare(
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

/** Throws where a table is not what it should be, naming it. */
export function requireEqual(table: string, found: Digest, expected: Digest): void {
  if (found.rows === expected.rows && found.sha256 === expected.sha256) return
  throw new Different(
    `${table} has ${found.rows} rows (${found.sha256.slice(0, 12)}…), expected were ${expected.rows} (${expected.sha256.slice(0, 12)}…)`,
  )
}

/** What was written is not what was read. */
export class Different extends Error {
  override name = 'Different'
}
