import type { ScriptRow } from '../../src/db/handle.ts'
import type { Target } from './target.ts'

/**
 * Tables that may change although a request was rejected. Background work changes most of them. Rejected
 * requests intentionally change `attempts`.
 */
const VOLATILE_TABLES =
  /^(attempts|jobs|job_turns|webhook.*|schema_migrations|sqlite_.*|search_(index|progress).*|content_views)$/
/**
 * Columns that may change during a rejected request. Sending mails changes `attempts` and `due_at`. Delayed effects of
 * earlier requests change the others.
 */
const VOLATILE_COLUMNS = /^(last_seen_at|last_used_at|view_count|attempts|due_at)$/

export type Digest = Record<string, string>

export async function digester(target: Target): Promise<() => Promise<Digest>> {
  const columns = await listColumns(target)
  const tables = Map.groupBy(columns, ({ table }) => table)
  const parts = [...tables].map(([table, list]) => {
    const numbers = list.filter(({ isNumber }) => isNumber)
    const sums = numbers.map(({ name }) => ` || ':' || coalesce(cast(sum("${name}") as text), '')`)
    return `select '${table}' as name, cast(count(*) as text)${sums.join('')} as digest from "${table}"`
  })
  const text = parts.join(' union all ')
  return async () =>
    Object.fromEntries((await target.sql(text)).map((row) => [row['name'], row['digest']]))
}

export function changed(before: Digest, after: Digest): string {
  return Object.keys(after)
    .filter((name) => before[name] !== after[name])
    .sort()
    .join(', ')
}

async function listColumns(target: Target) {
  const rows =
    target.engine === 'sqlite'
      ? await target.sql(
          "select m.name as tbl, c.name as col, lower(c.type) as type from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table'",
        )
      : await target.sql(
          "select table_name as tbl, column_name as col, data_type as type from information_schema.columns where table_schema = 'public'",
        )
  return rows.map(toColumn).filter(({ table, name, type }) => {
    const isSummed = /^(integer|bigint|smallint|text)$/.test(type)
    return isSummed && !VOLATILE_TABLES.test(table) && !VOLATILE_COLUMNS.test(name)
  })
}

function toColumn(row: ScriptRow) {
  const [table, name, type] = [String(row['tbl']), String(row['col']), String(row['type'])]
  return { table, name, type, isNumber: type !== 'text' }
}
