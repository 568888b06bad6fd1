import { DAILY, lasting, type TableName } from './model.ts'

/**
 * Distribution of a table's rows over the values of a column. The k-th most frequent value has a share
 * proportional to k^-exponent (Zipf).
 */
export interface Spread {
  table: TableName
  column: string
  /** Number of distinct values, divided by the number of users. */
  values: number
  exponent: number
  /**
   * Exponent for the writes of one hour, which concentrate on new and popular values. Null means the value of
   * `exponent`.
   */
  writeExponent: number | null
  /**
   * Maximum rows with the same value, divided by the number of users. With 0.3 for likes, at most 30 % of the users
   * like the same content item.
   */
  most: number
}

const contents = lasting(DAILY.contents)
const threads = lasting(DAILY.posts) / 2

function spread(
  table: TableName,
  column: string,
  values: number,
  [exponent, writeExponent]: [number, number | null],
  most: number,
): Spread {
  return { table, column, values, exponent, writeExponent, most }
}

/** Distributions by candidate partition key. For each table, the first candidate is the key in model.ts. */
export const SPREADS: readonly Spread[] = [
  spread('likes', 'content_id', contents, [0.8, 1], 0.3),
  spread('likes', 'user_id', 1, [0.6, null], 0.05),
  spread('comments', 'content_id', contents, [0.9, 1], 1),
  spread('comments', 'author_id', 1, [0.7, null], 0.05),
  spread('follows', 'follower_id', 1, [0.5, null], 0.01),
  spread('follows', 'creator_id', 0.1, [0.9, 1], 0.5),
  spread('notifications', 'user_id', 1, [0.9, 1], 2),
  spread('notifications', 'actor_id', 1, [0.6, null], 0.05),
  spread('content_stats', 'content_id', contents, [0, 1], 1),
  spread('content_stats', 'creator_id', 0.1, [0.6, 1.05], 1),
  spread('messages', 'conversation_id', 2.5, [0.5, null], 0.1),
  spread('messages', 'sender_id', 1, [0.6, null], 0.1),
  spread('posts', 'thread_id', threads, [0.5, 1], 0.5),
  spread('posts', 'author_id', 0.3, [0.7, null], 0.05),
]
