import { DAILY, lasting, type TableName } from './model.ts'

/**
 * Distribution of a table's rows over the values of a column. The k-th most frequent value has a share
 * proportional to k^-exponent (Zipf).
 */
export interface Spread {
  table: TableName
  column: string
  values: number
  exponent: number
  /**
   * Exponent for the writes of one hour, which concentrate on new and popular values. Null means the value of
   * `exponent`.
   */
  writeExponent: number | null
  /** Maximum rows of one value, per user. For example, each user can like a content only once. */
  most: number
}

const contents = lasting(DAILY.works)
const threads = lasting(DAILY.posts) / 2

/** Candidate columns of each table. The model uses the first one. */
export const SPREADS: readonly Spread[] = [
  {
    table: 'likes',
    column: 'content_id',
    values: contents,
    exponent: 0.8,
    writeExponent: 1,
    most: 0.3,
  },
  { table: 'likes', column: 'user_id', values: 1, exponent: 0.6, writeExponent: null, most: 0.05 },
  {
    table: 'comments',
    column: 'content_id',
    values: contents,
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
    values: contents,
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
