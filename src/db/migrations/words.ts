import type { Engine } from '../statement.ts'

/** The words of DDL in which the two engines differ. */
interface Words {
  /** Whole numbers up to 2^53: counts, flags, epoch milliseconds. */
  int: string
  /** Fractional numbers. */
  real: string
  text: string
  /** Text compared by bytes: ids, handles, whatever is ordered or looked up. */
  key: string
  /** Ends a table that is stored in the order of its primary key. */
  clustered: string
  /** Ends any other table. */
  plain: string
  /** The statements that make a trigger. */
  afterChange(trigger: Trigger): string[]
  dropTrigger(name: string, table: string): string
  /** Makes the index of a primary key hold these columns too, where it does not hold the whole row. */
  coveringKey(of: { table: string; key: string; columns: string }): string[]
}

/** What is done for each row in which a column has changed. `new` and `old` are the row. */
interface Trigger {
  name: string
  of: { table: string; column: string }
  when: string
  run: string
}

export const WORDS: Record<Engine, Words> = {
  sqlite: {
    int: 'integer',
    real: 'real',
    text: 'text',
    key: 'text',
    clustered: 'strict, without rowid',
    plain: 'strict',
    afterChange: ({ name, of: { table, column }, when, run }) => [
      `create trigger ${name} after update of ${column} on ${table} for each row when ${when}
        begin ${run}; end`,
    ],
    dropTrigger: (name) => `drop trigger ${name}`,
    coveringKey: () => [],
  },
  postgres: {
    int: 'bigint',
    real: 'double precision',
    text: 'text',
    key: 'text collate "C"',
    clustered: '',
    plain: '',
    afterChange: ({ name, of: { table, column }, when, run }) => [
      // A restore that was given up takes its tables away, which a function outlives.
      `create or replace function ${name}() returns trigger language plpgsql
        as $$ begin ${run}; return null; end $$`,
      `create trigger ${name} after update of ${column} on ${table} for each row when (${when})
        execute function ${name}()`,
    ],
    dropTrigger: (name, table) => `drop trigger ${name} on ${table}`,
    coveringKey: ({ table, key, columns }) => [
      `alter table ${table} drop constraint ${table}_pkey,
        add constraint ${table}_pkey primary key (${key}) include (${columns})`,
    ],
  },
}

export interface Migration {
  name: string
  /** The statements that bring the schema from the number before to this one. */
  up(words: Words): string[]
}
