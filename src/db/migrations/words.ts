import type { Engine } from '../statement.ts'

/** SQL fragments for DDL that differ between the two engines. */
interface Words {
  /** Integers up to 2^53: counts, flags, epoch milliseconds. */
  int: string
  /** Fractional numbers. */
  real: string
  text: string
  /** Text compared by bytes, for ids, handles and other columns that are sorted or looked up. */
  key: string
  /** Table suffix that stores rows in the order of the primary key. */
  clustered: string
  /** Table suffix for all other tables. */
  plain: string
  /** Returns the statements that create a trigger. */
  afterChange(trigger: Trigger): string[]
  dropTrigger(name: string, table: string): string
  /**
   * Adds columns to a primary key's index, on engines where that index does not contain the whole row.
   */
  coveringKey(target: { table: string; key: string; columns: string }): string[]
}

/** A trigger that runs for each row in which a column has changed. It can use `new` and `old`. */
interface Trigger {
  name: string
  target: { table: string; column: string }
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
    afterChange: ({ name, target: { table, column }, when, run }) => [
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
    afterChange: ({ name, target: { table, column }, when, run }) => [
      // The function may exist already: cancelling a restore drops its tables and triggers, but not the
      // function.
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
  /** Returns the statements that upgrade the schema from the previous number to this one. */
  up(words: Words): string[]
}
