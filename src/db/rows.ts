/**
 * Statements on one table, generated from the names of its columns. Each form of a statement is compiled and
 * prepared once. `conditions.ts` explains the conditions.
 */
import { type Insertable, type RawBuilder, sql } from 'kysely'
import {
  bound,
  type Column,
  matches,
  type RowOf,
  type Table,
  testsOf,
  type Where,
} from './conditions.ts'
import type { Handle, Tx } from './handle.ts'
import {
  type Dialect,
  type Params,
  type Query,
  rawQuery,
  type Statement,
  statement,
} from './statement.ts'
import type { Tables } from './tables.ts'

type WithId = {
  [T in Table]: RowOf<T> extends { id: string } ? T : never
}[Table]
export type Changes<T extends Table> = Partial<RowOf<T>>
interface Order<T extends Table> {
  by?: readonly Column<T>[] | Column<T>
  desc?: boolean
  limit?: number
  offset?: number
}

const made = new Map<string, Statement<Params, unknown>>()

type Build<R> = (p: Params, dialect: Dialect) => RawBuilder<R>

/** Returns the statement that `parts` identify. Builds it on the first call with these parts. */
export function formOf<R>(parts: readonly unknown[], build: Build<R>): Statement<Params, R> {
  const key = parts.join(' ')
  const found = made.get(key) as Statement<Params, R> | undefined
  if (found) return found
  const form = statement((q: Query, p: Params, dialect) => rawQuery(q, build(p, dialect)))
  made.set(key, form)
  return form
}

export const refs = (columns: readonly string[]) =>
  sql.join(columns.map((column) => sql.ref(column)))

type Conflict = 'fails' | 'ignored' | readonly string[]

function insertForm(table: Table, columns: readonly string[], conflict: Conflict) {
  return formOf(['insert', table, columns, conflict], (p) => {
    const values = sql.join(columns.map((column) => sql`${p[column]}`))
    const insert = sql`insert into ${sql.table(table)} (${refs(columns)}) values (${values})`
    if (conflict === 'fails') return insert
    if (conflict === 'ignored') return sql`${insert} on conflict do nothing`
    const set = columns
      .filter((column) => !conflict.includes(column))
      .map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`)
    return sql`${insert} on conflict (${refs(conflict)}) do update set ${sql.join(set)}`
  })
}

export async function insertRow<T extends Table>(
  tx: Handle,
  table: T,
  row: Insertable<Tables[T]>,
): Promise<void> {
  await tx.run(insertForm(table, Object.keys(row), 'fails'), { ...row })
}

/** Inserts a row like `insertRow`, but without a round trip of its own (`Tx.send`). */
export async function sendInsert<T extends Table>(
  tx: Tx,
  table: T,
  row: Insertable<Tables[T]>,
): Promise<void> {
  await tx.send(insertForm(table, Object.keys(row), 'fails'), { ...row })
}

/** Inserts a row. Returns false when a row with the same unique key exists. */
export async function insertNew<T extends Table>(
  tx: Handle,
  table: T,
  row: Insertable<Tables[T]>,
): Promise<boolean> {
  return (await tx.run(insertForm(table, Object.keys(row), 'ignored'), { ...row })) > 0
}

/** Inserts a row, or updates the other columns of the row with the same `key`. */
export async function putRow<T extends Table>(
  tx: Handle,
  table: T,
  key: readonly Column<T>[],
  row: Insertable<Tables[T]>,
): Promise<void> {
  await tx.run(insertForm(table, Object.keys(row), key), { ...row })
}

/** Inserts or updates a row like `putRow`, but sends the statement together with the next one (`Tx.send`). */
export async function sendPut<T extends Table>(
  tx: Tx,
  table: T,
  key: readonly Column<T>[],
  row: Insertable<Tables[T]>,
): Promise<void> {
  await tx.send(insertForm(table, Object.keys(row), key), { ...row })
}

/**
 * Inserts rows in one statement, except rows whose unique key exists. Returns the number of inserted rows. The first
 * row must contain no nulls, because its values determine the types.
 */
export async function insertAll<T extends Table>(
  tx: Handle,
  table: T,
  rows: readonly Insertable<Tables[T]>[],
): Promise<number> {
  const [first] = rows
  if (!first) return 0
  const types = Object.fromEntries(
    Object.entries(first).map(([column, value]) => [
      column,
      typeof value === 'number' ? ('integer' as const) : ('text' as const),
    ]),
  )
  const columns = Object.keys(types)
  const form = formOf(['insert all', table, columns], (p, dialect) => {
    const given = dialect.rows(p['rows'] as never, types)
    // SQLite needs a WHERE clause here to tell ON CONFLICT from the ON of a join.
    return sql`insert into ${sql.table(table)} (${refs(columns)})
      select ${refs(columns)} from ${given} as rows where true on conflict do nothing`
  })
  return tx.run(form, { rows: rows.map((row) => ({ ...row })) })
}

export function setOf(changes: object, p: Params): RawBuilder<unknown> {
  return sql.join(Object.keys(changes).map((column) => sql`${sql.ref(column)} = ${p[column]}`))
}

function updateForm(table: Table, where: object, changes: object) {
  return formOf(
    ['update', table, testsOf(where), Object.keys(changes)],
    (p, dialect) =>
      sql`update ${sql.table(table)} set ${setOf(changes, p)} where ${matches(where, p, dialect)}`,
  )
}

/** Updates the rows that match, and returns their number. */
export function updateRows<T extends Table>(
  tx: Handle,
  table: T,
  where: Where<T>,
  changes: Changes<T>,
): Promise<number> {
  return tx.run(updateForm(table, where, changes), bound(where, changes))
}

/** Updates rows like `updateRows`, but without a round trip of its own (`Tx.send`). */
export async function sendUpdate<T extends Table>(
  tx: Tx,
  table: T,
  where: Where<T>,
  changes: Changes<T>,
): Promise<void> {
  await tx.send(updateForm(table, where, changes), bound(where, changes))
}

/** Adds amounts, which may be negative, to columns of the rows that match. Returns the number of updated rows. */
export function addToRows<T extends Table>(
  tx: Handle,
  table: T,
  where: Where<T>,
  amounts: { [K in Column<T>]?: number },
): Promise<number> {
  const columns = Object.keys(amounts)
  const form = formOf(['add', table, testsOf(where), columns], (p, dialect) => {
    const set = columns.map((column) => {
      const name = sql.ref(column)
      return sql`${name} = ${name} + ${p[column]}`
    })
    return sql`update ${sql.table(table)} set ${sql.join(set)} where ${matches(where, p, dialect)}`
  })
  return tx.run(form, bound(where, amounts))
}

/** Updates the row that matches and returns it. Returns undefined when there is none. */
export function changeRow<T extends Table>(
  tx: Handle,
  table: T,
  where: Where<T>,
  changes: Changes<T>,
): Promise<RowOf<T> | undefined> {
  const form = formOf<RowOf<T>>(
    ['change', table, testsOf(where), Object.keys(changes)],
    (p, dialect) =>
      sql`update ${sql.table(table)} set ${setOf(changes, p)}
        where ${matches(where, p, dialect)} returning *`,
  )
  return tx.first(form, bound(where, changes))
}

/** Deletes the row that matches and returns it. Of two concurrent calls, one returns undefined. */
export function takeRow<T extends Table>(
  tx: Handle,
  table: T,
  where: Where<T>,
): Promise<RowOf<T> | undefined> {
  const form = formOf<RowOf<T>>(
    ['take', table, testsOf(where)],
    (p, dialect) =>
      sql`delete from ${sql.table(table)} where ${matches(where, p, dialect)} returning *`,
  )
  return tx.first(form, bound(where))
}

/** Deletes the rows that match, and returns their number. */
export function deleteRows<T extends Table>(
  tx: Handle,
  table: T,
  where: Where<T>,
): Promise<number> {
  const form = formOf(
    ['delete', table, testsOf(where)],
    (p, dialect) => sql`delete from ${sql.table(table)} where ${matches(where, p, dialect)}`,
  )
  return tx.run(form, bound(where))
}

function selectForm<T extends Table, R = RowOf<T>>(
  table: T,
  what: string,
  where: Where<T>,
  { by = [], desc = false, limit, offset, locked }: Order<T> & { locked?: boolean } = {},
) {
  const order = typeof by === 'string' ? [by] : by
  const isPage = [limit !== undefined, offset !== undefined]
  const parts = ['select', what, table, testsOf(where), order, desc, isPage, locked]
  return formOf<R>(parts, (p, dialect) => {
    const sorted = order.map((column) => sql`${sql.ref(column)} ${sql.raw(desc ? 'desc' : 'asc')}`)
    return sql`select ${sql.raw(what)} from ${sql.table(table)} where ${matches(where, p, dialect)}${
      order.length > 0 ? sql` order by ${sql.join(sorted)}` : sql``
    }${limit === undefined ? sql`` : sql` limit ${p['limit']}`}${
      offset === undefined ? sql`` : sql` offset ${p['offset']}`
    }${locked ? sql` ${dialect.lock}` : sql``}`
  })
}

const rangeOf = ({ limit, offset }: { limit?: number; offset?: number }) => ({
  ...(limit !== undefined && { limit }),
  ...(offset !== undefined && { offset }),
})

/** Returns the rows that match, in the order of `by` or in no particular order. */
export function listRows<T extends Table>(
  db: Handle,
  table: T,
  where: Where<T>,
  order: Order<T> = {},
): Promise<RowOf<T>[]> {
  return db.all(selectForm(table, '*', where, order), bound(where, rangeOf(order)))
}

/** Returns one column of the rows that `listRows` returns. */
export async function listColumn<T extends Table, C extends Column<T>>(
  db: Handle,
  table: T,
  column: C,
  where: Where<T>,
  order: Order<T> = {},
): Promise<RowOf<T>[C][]> {
  const form = selectForm<T, RowOf<T>>(table, column, where, order)
  return (await db.all(form, bound(where, rangeOf(order)))).map((row) => row[column])
}

/** Returns the ids of a page, and the number of all rows that match. */
export async function listPage<T extends WithId>(
  db: Handle,
  table: T,
  where: Where<T>,
  order: Order<T>,
): Promise<{ ids: string[]; total: number }> {
  const [rows, total] = await Promise.all([
    db.all(selectForm<T, { id: string }>(table, 'id', where, order), bound(where, rangeOf(order))),
    countRows(db, table, where),
  ])
  return { ids: rows.map(({ id }) => id), total }
}

export async function countRows<T extends Table>(
  db: Handle,
  table: T,
  where: Where<T>,
): Promise<number> {
  const form = selectForm<T, { total: number }>(table, 'count(*) as total', where)
  return (await db.first(form, bound(where)))?.total ?? 0
}

export function findRow<T extends Table>(
  db: Handle,
  table: T,
  where: Where<T>,
): Promise<RowOf<T> | undefined> {
  return db.first(selectForm(table, '*', where), bound(where))
}

export async function hasRow<T extends Table>(
  db: Handle,
  table: T,
  where: Where<T>,
): Promise<boolean> {
  const form = selectForm(table, '1', where, { limit: 1 })
  return (await db.first(form, bound(where, { limit: 1 }))) !== undefined
}

/** Returns the matching row, locked until the transaction ends, or undefined if no row matches. */
export function findRowLocked<T extends Table>(
  tx: Tx,
  table: T,
  where: Where<T>,
): Promise<RowOf<T> | undefined> {
  return tx.first(selectForm(table, '*', where, { locked: true }), bound(where))
}

/** Returns the matching rows, locked in the order of `by` until the transaction ends. */
export function listRowsLocked<T extends Table>(
  tx: Tx,
  table: T,
  where: Where<T>,
  by: readonly Column<T>[] | Column<T>,
): Promise<RowOf<T>[]> {
  return tx.all(selectForm(table, '*', where, { by, locked: true }), bound(where))
}
