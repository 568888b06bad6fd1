/** How unevenly a large community falls on the columns that Plaza's tables could be partitioned by. */
import { DAILY, lasting, type TableName } from './model.ts'

/**
 * How unevenly the rows of a table fall on the values of a column: the k-th busiest value has a
 * share in proportion to k to the power of minus `exponent` (Zipf).
 */
export interface Spread {
  table: TableName
  column: string
  /** Values of the column for each member. */
  values: number
  /** Of all rows that are there. */
  exponent: number
  /** Of the writes of an hour, which go to what is new and loved; null: as the rows. */
  writeExponent: number | null
  /** The most rows that one value can have, for each member: nobody likes a work twice. */
  most: number
}

const works = lasting(DAILY.works)
const threads = lasting(DAILY.posts) / 2

/** The columns that a table could be partitioned by; the first of each is the one taken above. */
export const SPREADS: readonly Spread[] = [
  {
    table: 'likes',
    column: 'content_id',
    values: works,
    exponent: 0.8,
    writeExponent: 1,
    most: 0.3,
  },
  { table: 'likes', column: 'user_id', values: 1, exponent: 0.6, writeExponent: null, most: 0.05 },
  {
    table: 'comments',
    column: 'content_id',
    values: works,
    exponent: 0.9,
    writeExponent: 1,
    most: 1,
  },
  {
    table: 'comments',
    column: 'author_id',
    values: 1,
    exponent: 0.7,
    writeExponent: null,
    most: 0.05,
  },
  {
    table: 'follows',
    column: 'follower_id',
    values: 1,
    exponent: 0.5,
    writeExponent: null,
    most: 0.01,
  },
  {
    table: 'follows',
    column: 'creator_id',
    values: 0.1,
    exponent: 0.9,
    writeExponent: 1,
    most: 0.5,
  },
  {
    table: 'notifications',
    column: 'user_id',
    values: 1,
    exponent: 0.9,
    writeExponent: 1,
    most: 2,
  },
  {
    table: 'notifications',
    column: 'actor_id',
    values: 1,
    exponent: 0.6,
    writeExponent: null,
    most: 0.05,
  },
  {
    table: 'content_stats',
    column: 'content_id',
    values: works,
    exponent: 0,
    writeExponent: 1,
    most: 1,
  },
  {
    table: 'content_stats',
    column: 'creator_id',
    values: 0.1,
    exponent: 0.6,
    writeExponent: 1.05,
    most: 1,
  },
  {
    table: 'messages',
    column: 'conversation_id',
    values: 2.5,
    exponent: 0.5,
    writeExponent: null,
    most: 0.1,
  },
  {
    table: 'messages',
    column: 'sender_id',
    values: 1,
    exponent: 0.6,
    writeExponent: null,
    most: 0.1,
  },
  {
    table: 'posts',
    column: 'thread_id',
    values: threads,
    exponent: 0.5,
    writeExponent: 1,
    most: 0.5,
  },
  {
    table: 'posts',
    column: 'author_id',
    values: 0.3,
    exponent: 0.7,
    writeExponent: null,
    most: 0.05,
  },
]
