/**
 * SQL statements that are written once with Kysely, compiled once per engine and prepared once per
 * connection. While a statement is built, its parameters are placeholders. Each execution binds their values.
 */
import {
  type Compilable,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  type SelectQueryBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import type { Flag } from './flag.ts'
import type { Tables } from './tables.ts'

export type Engine = 'sqlite' | 'postgres'
type Scalar = string | number | null
export type Row = Record<string, Scalar>
/** Parameter values: a scalar, a list for `dialect.anyOf`, or rows for `dialect.rows`. */
export type Params = Record<string, Scalar | readonly Scalar[] | readonly Row[]>
/** A row's interface with the index signature that `Params` requires. */
export type AsParams<R> = { [K in keyof R]: R[K] }
export type Range = { limit: number; offset: number }
export type Query = Kysely<Tables>

/**
 * SQL literals 1 and 0 of a flag. With a bound value, neither engine would use a partial index, and SQLite would
 * prepare the statement at every call.
 */
export const TRUE = sql.lit<Flag>(1)
export const FALSE = sql.lit<Flag>(0)

export interface Dialect {
  engine: Engine
  /** SQL that is true when the column equals one of the values; always false for an empty list. */
  anyOf(column: string, values: readonly Scalar[]): RawBuilder<boolean>
  /** SQL that is true when the column contains the text. Pattern characters have no special meaning. */
  contains(column: string, text: string): RawBuilder<boolean>
  /** Makes a query lock the selected rows until the transaction ends. No effect on SQLite with its single writer. */
  locked<DB, TB extends keyof DB, O>(
    query: SelectQueryBuilder<DB, TB, O>,
  ): SelectQueryBuilder<DB, TB, O>
  /** Clause for the end of a raw query. Locks the selected rows like `locked`. */
  lock: RawBuilder<unknown>
  /** SQL for a list of rows as a table with these columns. */
  rows(rows: readonly Row[], columns: Record<string, 'text' | 'integer'>): RawBuilder<never>
  /** SQL for the position of `part` in `within`, starting at 1; 0 when not found. */
  position(part: unknown, within: unknown): RawBuilder<number>
  greatest(a: unknown, b: unknown): RawBuilder<number>
  /** SQL that forces SQLite to use this index for the preceding table. No effect on PostgreSQL. */
  indexedBy(index: string): RawBuilder<unknown>
}

export interface Statement<P extends Params, R> {
  compiled(engine: Engine): Compiled
  /** Tables that the statement reads. Set only by `cached`. */
  readonly sources?: readonly string[]
  /** Never set; carries the types P and R. */
  readonly types?: { params: P; row: R }
}

export interface Compiled {
  /** Unique within the process. PostgreSQL uses it as the name of the prepared statement. */
  name: string
  sql: string
  bind(params: Params): unknown[]
}

class Placeholder {
  readonly key: string
  readonly json: boolean
  constructor(key: string, json = false) {
    this.key = key
    this.json = json
  }
}

let made = 0

/** Declares a statement. Calls `build` once per engine, on first use. */
export function statement<P extends Params, R>(
  build: (q: Query, p: P, dialect: Dialect) => Compilable<R>,
): Statement<P, R> {
  const cache: Partial<Record<Engine, Compiled>> = {}
  const name = `s${++made}`
  return {
    compiled(engine) {
      return (cache[engine] ??= compile(name, engine, build as never))
    },
  }
}

/**
 * Declares that SQLite caches the rows that `first` reads outside transactions. A commit to a table in `sources`, by
 * any process, clears the cached rows. Meant for rows that nearly every request reads. Callers must not modify the rows.
 */
export function cached<P extends Params, R>(
  sources: readonly (keyof Tables)[],
  declared: Statement<P, R>,
): Statement<P, Readonly<R>> {
  return { ...declared, sources }
}

/** Returns an object with only the parameters in `keys`, for `values` and `set`. */
export function pickParams<P, const K extends keyof P>(p: P, keys: readonly K[]): Pick<P, K> {
  return Object.fromEntries(keys.map((key) => [key, p[key]])) as Pick<P, K>
}

/** Makes raw SQL a query that can be compiled, for statements that the query builder cannot express. */
export function rawQuery<R>(q: Query, text: RawBuilder<R>): Compilable<R> {
  return { compile: () => text.compile(q) }
}

/**
 * Returns a function that returns the statement for a combination of choices. Each statement is built once, on
 * first use.
 */
export function statementFamily<C, P extends Params, R>(
  build: (choices: C) => Statement<P, R>,
): (choices: C) => Statement<P, R> {
  const cache = new Map<string, Statement<P, R>>()
  return (choices) => {
    const key = JSON.stringify(choices)
    let found = cache.get(key)
    if (!found) cache.set(key, (found = build(choices)))
    return found
  }
}

const placeholders = new Proxy(
  {},
  { get: (_, key) => (typeof key === 'string' ? new Placeholder(key) : undefined) },
)

function compile(
  name: string,
  engine: Engine,
  build: (q: Query, p: Params, dialect: Dialect) => Compilable,
): Compiled {
  const { sql: text, parameters } = build(
    builders[engine],
    placeholders,
    dialects[engine],
  ).compile()
  return {
    name,
    sql: text,
    bind: (params) =>
      parameters.map((slot) => {
        if (!(slot instanceof Placeholder)) return slot
        const value = params[slot.key]
        if (value === undefined) throw new Error(`statement ${name}: ${slot.key} is not bound`)
        const list = typeof value === 'object' && value !== null
        return list && (slot.json || engine === 'sqlite') ? JSON.stringify(value) : value
      }),
  }
}

const builders: Record<Engine, Query> = {
  sqlite: new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  }),
  postgres: new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }),
}

const asJson = (value: unknown): unknown => new Placeholder((value as Placeholder).key, true)

const dialects: Record<Engine, Dialect> = {
  sqlite: {
    engine: 'sqlite',
    anyOf: (column, values) => sql`${sql.ref(column)} in (select value from json_each(${values}))`,
    contains: (column, text) => sql`instr(${sql.ref(column)}, ${text}) > 0`,
    locked: (query) => query,
    lock: sql``,
    rows: (rows, columns) =>
      sql`(select ${sql.join(
        Object.keys(columns).map((name) => sql`value ->> ${sql.lit(name)} as ${sql.id(name)}`),
      )} from json_each(${asJson(rows)}))`,
    position: (part, within) => sql`instr(${within}, ${part})`,
    greatest: (a, b) => sql`max(${a}, ${b})`,
    indexedBy: (index) => sql`indexed by ${sql.id(index)}`,
  },
  postgres: {
    engine: 'postgres',
    anyOf: (column, values) => sql`${sql.ref(column)} = any(${values})`,
    contains: (column, text) => sql`strpos(${sql.ref(column)}, ${text}) > 0`,
    // FOR UPDATE would also block foreign key checks on the row.
    locked: (query) => query.forNoKeyUpdate(),
    lock: sql`for no key update`,
    rows: (rows, columns) =>
      sql`(select * from jsonb_to_recordset(${asJson(rows)}::jsonb) as r(${sql.join(
        Object.entries(columns).map(
          ([name, type]) => sql`${sql.id(name)} ${sql.raw(type === 'text' ? 'text' : 'bigint')}`,
        ),
      )}))`,
    position: (part, within) => sql`strpos(${within}, ${part})`,
    greatest: (a, b) => sql`greatest(${a}, ${b})`,
    indexedBy: () => sql``,
  },
}
