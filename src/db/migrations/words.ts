import type { Engine } from '../statement.ts'

interface Words {
  /** Type of integers up to 2^53: counts, flags, and times in milliseconds. */
  int: string
  real: string
  text: string
  /** Type of text that is compared by bytes: ids, handles and other sorted or indexed columns. */
  key: string
  /** Suffix of `create table` for tables that SQLite stores in the order of the primary key. Empty on PostgreSQL. */
  clustered: string
  plain: string
  trigger(trigger: Trigger): string[]
  dropTrigger(name: string, table: string): string
  /**
   * Statements that add columns to the index of a primary key. None on SQLite, whose clustered tables store the whole
   * row in that index.
   */
  coveringKey(target: { table: string; key: string; columns: string }): string[]
  /**
   * Statements that create a boolean function whose queries see all commits up to the call. None on SQLite, whose
   * single writer sees them anyway.
   */
  freshFunction(target: { name: string; params: string; returns: string }): string[]
  /** Column with the integer key for a full-text index. Empty on PostgreSQL, whose indexes need no such column. */
  rowNumber: string
  /**
   * Statements that create a full-text index of a text column and index the existing rows. The column contains tokens
   * separated by spaces, which the engine does not change. On SQLite the index is a virtual table named `index`.
   */
  fullText(target: FullText): string[]
  /**
   * Statements that make the index of `fullText` add new rows in batches of `size`, because each addition to an FTS5
   * index costs more than the row itself. `${index}_reached` stores the number of the last row in the index, so the
   * rows with greater numbers, fewer than `size`, must be read beside it. None on PostgreSQL, whose index collects new
   * rows in a list that every search reads.
   */
  batchFullText(target: FullText & { size: number }): string[]
}

interface FullText {
  index: string
  table: string
  column: string
}

/**
 * Trigger that runs `run` for each row of the event `after`, such as `insert on posts`. `run` can use `new` and `old`.
 */
interface Trigger {
  name: string
  after: string
  when?: string
  run: string
}

const when = (condition?: string) => (condition === undefined ? '' : ` when (${condition})`)

export const WORDS: Record<Engine, Words> = {
  sqlite: {
    int: 'integer',
    real: 'real',
    text: 'text',
    key: 'text',
    clustered: 'strict, without rowid',
    plain: 'strict',
    trigger: ({ name, after, when: condition, run }) => [
      `create trigger ${name} after ${after} for each row${when(condition)} begin ${run}; end`,
    ],
    dropTrigger: (name) => `drop trigger ${name}`,
    coveringKey: () => [],
    freshFunction: () => [],
    rowNumber: 'number integer primary key,',
    fullText: ({ index, table, column }) => {
      const add = `insert into ${index} (rowid, ${column}) values (new.number, new.${column})`
      const remove = `insert into ${index} (${index}, rowid, ${column})
        values ('delete', old.number, old.${column})`
      const trigger = (name: string, after: string, run: string) =>
        `create trigger ${index}_${name} after ${after} on ${table} for each row begin ${run}; end`
      return [
        `create virtual table ${index} using fts5 (${column}, content='${table}',
          content_rowid='number', tokenize='ascii', detail=none, columnsize=0)`,
        `insert into ${index} (${index}) values ('rebuild')`,
        trigger('insert', 'insert', add),
        trigger('delete', 'delete', remove),
        trigger('update', `update of ${column}`, `${remove}; ${add}`),
      ]
    },
    batchFullText: ({ index, table, column, size }) => {
      const reached = `(select number from ${index}_reached where id = 1)`
      const last = `(select coalesce(max(number), 0) from ${table})`
      const add = (rows: string) => `insert into ${index} (rowid, ${column}) ${rows}`
      const remove = `insert into ${index} (${index}, rowid, ${column})
        select 'delete', old.number, old.${column} where old.number <= ${reached}`
      const trigger = (name: string, after: string, run: string) => [
        `drop trigger ${index}_${name}`,
        `create trigger ${index}_${name} after ${after} on ${table} for each row ${run}`,
      ]
      return [
        `create table ${index}_reached (
          id integer primary key check (id = 1),
          number integer not null
        ) strict`,
        `insert into ${index}_reached (id, number) select 1, ${last}`,
        ...trigger(
          'insert',
          'insert',
          `when new.number % ${size} = 0 begin
            ${add(`select number, ${column} from ${table} where number > ${reached}`)};
            update ${index}_reached set number = ${last}; end`,
        ),
        // SQLite gives the number of a deleted last row to the next row, which the index does not contain yet.
        ...trigger(
          'delete',
          'delete',
          `begin ${remove};
            update ${index}_reached set number = ${last} where number > ${last}; end`,
        ),
        ...trigger(
          'update',
          `update of ${column}`,
          `when old.number <= ${reached} begin ${remove};
            ${add(`values (new.number, new.${column})`)}; end`,
        ),
      ]
    },
  },
  postgres: {
    int: 'bigint',
    real: 'double precision',
    text: 'text',
    key: 'text collate "C"',
    clustered: '',
    plain: '',
    trigger: ({ name, after, when: condition, run }) => [
      // `or replace`, because cancelling a restore drops tables and triggers but keeps this function.
      `create or replace function ${name}() returns trigger language plpgsql
        as $$ begin ${run}; return null; end $$`,
      `create trigger ${name} after ${after} for each row${when(condition)}
        execute function ${name}()`,
    ],
    dropTrigger: (name, table) => `drop trigger ${name} on ${table}`,
    coveringKey: ({ table, key, columns }) => [
      `alter table ${table} drop constraint ${table}_pkey,
        add constraint ${table}_pkey primary key (${key}) include (${columns})`,
    ],
    freshFunction: ({ name, params, returns }) => [
      `create or replace function ${name}(${params}) returns boolean language plpgsql volatile
        as $$ begin return ${returns}; end $$`,
    ],
    rowNumber: '',
    fullText: ({ index, table, column }) => [
      // Stores the vectors, because each search of a small table would otherwise cast the tokens of every row.
      `alter table ${table} add column ${column}_vector tsvector
        generated always as (cast(${column} as tsvector)) stored`,
      // Limits the list of pending entries to 256 kB, because every search reads the whole list.
      `create index ${index} on ${table} using gin (${column}_vector)
        with (fastupdate = on, gin_pending_list_limit = 256)`,
    ],
    batchFullText: () => [],
  },
}

export interface Migration {
  name: string
  up(words: Words): string[]
  /**
   * Statements that create the migration's triggers. A restore creates triggers last, because the restored
   * counts already include the restored rows.
   */
  triggers?(words: Words): string[]
}
