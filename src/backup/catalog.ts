/**
 * Reads tables and keys from the catalog of the database, so that backups and copies include new tables without a
 * change here.
 */
import type { Run, ScriptRow } from '../db/handle.ts'
import type { Engine } from '../db/statement.ts'

export interface Table {
  name: string
  columns: Column[]
  /** Columns of a unique key. Rows are read in the order of this key. */
  key: string[]
}

export interface Column {
  name: string
  type: string
}

/** Tables of the search index, which the server fills again after a restore. */
export const DERIVED_TABLES = ['search_documents', 'search_progress']
/** Tables that backups omit: those about the database itself, and derived ones. */
const OMITTED_TABLES = new Set(['schema_migrations', 'unfinished_restore', ...DERIVED_TABLES])
/**
 * Matches the virtual table of the search index on SQLite, the tables in which SQLite stores the index, and
 * `search_index_reached`.
 */
const INDEX_TABLE = /^search_index(_|$)/

const CATALOG: Record<Engine, { columns: string; keys: string; references: string }> = {
  sqlite: {
    columns: `select t.name as "table", c.name as "column", c.type as type
      from sqlite_schema as t join pragma_table_info(t.name) as c
      where t.type = 'table' and t.name not like 'sqlite\\_%' escape '\\'
      order by t.name, c.cid`,
    keys: `select t.name as "table", i.name as "index", c.name as "column", c.cid as number,
        i.origin = 'pk' as is_primary
      from sqlite_schema as t join pragma_index_list(t.name) as i
        join pragma_index_info(i.name) as c
      where t.type = 'table' and i."unique" = 1 and i.partial = 0
      union all
      select t.name, 'primary', c.name, c.cid, 1
      from sqlite_schema as t join pragma_table_info(t.name) as c
      where t.type = 'table' and c.pk > 0
        and not exists (select 1 from pragma_index_list(t.name) where origin = 'pk')`,
    references: `select t.name as "table", r."table" as target
      from sqlite_schema as t join pragma_foreign_key_list(t.name) as r where t.type = 'table'`,
  },
  postgres: {
    columns: `select c.table_name as "table", c.column_name as "column", c.data_type as type
      from information_schema.columns as c
        join information_schema.tables as t using (table_schema, table_name)
      where table_schema = current_schema() and t.table_type = 'BASE TABLE'
      order by c.table_name, c.ordinal_position`,
    keys: `select t.relname as "table", i.indexrelid::text as "index", a.attname as "column",
        a.attnum as number, i.indisprimary::int as is_primary
      from pg_index as i join pg_class as t on t.oid = i.indrelid
        cross join lateral unnest(i.indkey::int2[]) with ordinality as part(number, place)
        join pg_attribute as a on a.attrelid = t.oid and a.attnum = part.number
      where t.relnamespace = current_schema()::regnamespace
        and part.place <= i.indnkeyatts and i.indisunique and i.indpred is null
      order by i.indexrelid, part.place`,
    references: `select t.relname as "table", target.relname as target
      from pg_constraint as r join pg_class as t on t.oid = r.conrelid
        join pg_class as target on target.oid = r.confrelid
      where r.contype = 'f' and r.connamespace = current_schema()::regnamespace`,
  },
}

/**
 * Returns the tables to back up, each after the tables that it references. Errors: an Error for a table without a key
 * and for circular references.
 */
export async function listTables(engine: Engine, run: Run): Promise<Table[]> {
  const { columns, keys, references } = CATALOG[engine]
  const tables = new Map<string, Table>()
  for (const row of await run(columns)) {
    const name = String(row['table'])
    if (OMITTED_TABLES.has(name) || INDEX_TABLE.test(name)) continue
    const table = tables.get(name) ?? { name, columns: [], key: [] }
    table.columns.push({ name: String(row['column']), type: String(row['type']).toLowerCase() })
    tables.set(name, table)
  }
  const ofTable = Map.groupBy(await run(keys), (row) => String(row['table']))
  for (const table of tables.values()) table.key = chooseKey(table.name, ofTable.get(table.name))
  return inOrder(tables, await run(references))
}

/**
 * Returns the columns of the primary key. Without a primary key, returns those of a unique key. Errors: an Error for
 * a table without keys.
 */
function chooseKey(table: string, rows: ScriptRow[] = []): string[] {
  const [best] = [...Map.groupBy(rows, (row) => row['index']).values()].toSorted(
    ([a], [b]) =>
      Number(b?.['is_primary']) - Number(a?.['is_primary']) ||
      Number(a?.['number']) - Number(b?.['number']),
  )
  if (!best) throw new Error(`the table ${table} has no key, so its rows have no order`)
  return best.map((row) => String(row['column']))
}

function inOrder(tables: Map<string, Table>, references: ScriptRow[]): Table[] {
  const ordered: Table[] = []
  const waiting = new Map([...tables].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  while (waiting.size > 0) {
    const free = [...waiting.keys()].find((name) =>
      references.every(
        ({ table, target }) => table !== name || target === name || !waiting.has(String(target)),
      ),
    )
    if (free === undefined) {
      throw new Error(`tables refer to each other in a circle: ${[...waiting.keys()].join(', ')}`)
    }
    ordered.push(waiting.get(free) as Table)
    waiting.delete(free)
  }
  return ordered
}

/** True when the database (on PostgreSQL, its current schema) contains no tables, views or sequences. */
export async function isEmpty(engine: Engine, run: Run): Promise<boolean> {
  const [row] = await run(
    engine === 'sqlite'
      ? 'select count(*) as n from sqlite_schema'
      : `select count(*) as n from pg_class
          where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S', 'f')`,
  )
  return Number(row?.['n']) === 0
}
