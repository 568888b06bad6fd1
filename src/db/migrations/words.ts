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
}

export const WORDS: Record<Engine, Words> = {
  sqlite: {
    int: 'integer',
    real: 'real',
    text: 'text',
    key: 'text',
    clustered: 'strict, without rowid',
    plain: 'strict',
  },
  postgres: {
    int: 'bigint',
    real: 'double precision',
    text: 'text',
    key: 'text collate "C"',
    clustered: '',
    plain: '',
  },
}

export interface Migration {
  name: string
  /** The statements that bring the schema from the number before to this one. */
  up(words: Words): string[]
}
