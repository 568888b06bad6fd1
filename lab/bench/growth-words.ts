import type { Engine } from '../../src/db/statement.ts'

export const USER = {
  notified: 0,
  star: 1,
  follower: 2,
  growingFollower: 3,
  viewer: 4,
  liker: 5,
  writer: 6,
  poster: 7,
  admin: 8,
  creator: 9,
  blocker: 10,
} as const
export type Part = keyof typeof USER

export interface Sizes {
  users: number
  contents: number
  /** Likes of each user. Duplicate rows are dropped, so some users have slightly fewer. */
  likesEach: number
  /** Comments spread over all contents. */
  comments: number
  /** Additional comments on the most commented content. */
  heavyComments: number
  notifications: number
  followers: number
  /** Number of creators that `USER.follower` follows, equal in the small and the large database. */
  follows: number
  /** Number of creators that `USER.growingFollower` follows, which grows with the size of the database. */
  growingFollows: number
  /** Likes of `USER.liker`. */
  heavyLikes: number
  /** Conversations of `USER.writer`. */
  conversations: number
  /** Messages of the first conversation, in addition to the three that each conversation has. */
  messages: number
  /** Top-level posts. */
  posts: number
  /** Replies to the first post. */
  replies: number
  /** Posts of `USER.poster`. */
  ownPosts: number
  deliveries: number
  /** Number of users that `USER.blocker` blocks. */
  blocks: number
  /** Number of moderation cases, of which one in a hundred is open. */
  cases: number
}

const USERS = 600_000
export const GROWTH = 100

/** Factor that reduces all row counts except contents in the search benchmark, so that filling takes only minutes. */
const SEARCHED_SHARE = 0.1

/**
 * Returns the number of rows of each kind in a database with `share` of the full size. `least` is the share of the
 * small database, whose users limit `follows` in both databases. `isSearchOnly`: true to reduce all numbers except
 * the number of contents.
 */
export function sizesOf(share: number, least: number, isSearchOnly: boolean): Sizes {
  const part = isSearchOnly ? SEARCHED_SHARE : 1
  const scaled = (n: number) => Math.max(1, Math.round(n * share * part))
  return {
    users: scaled(USERS),
    contents: Math.round(1_000_000 * share),
    likesEach: isSearchOnly ? 2 : 16,
    comments: scaled(4_000_000),
    heavyComments: scaled(1_000_000),
    notifications: scaled(1_000_000),
    followers: scaled(500_000),
    follows: Math.min(5000, Math.floor(USERS * least * part * 0.8)),
    growingFollows: scaled(5000),
    heavyLikes: scaled(20_000),
    conversations: scaled(20_000),
    messages: scaled(100_000),
    posts: scaled(500_000),
    replies: scaled(50_000),
    ownPosts: scaled(20_000),
    deliveries: scaled(100_000),
    blocks: scaled(10_000),
    cases: scaled(100_000),
  }
}

/**
 * Returns the row number of the newest published `hype` content of `USER.creator`, which gets the most comments and
 * likes. `growth-world.ts` uses the same moduli.
 */
export function heavyContent({ contents }: Sizes): number {
  let number = contents - 1
  while (number % 4 !== 0 || number % 97 === 5 || number % 97 === 6 || number % 50 !== 0) number--
  return number
}

const SPAN = 365 * 24 * 60 * 60 * 1000
/** Constant start time, so that every run creates the same rows. */
const START = Date.UTC(2025, 10, 1)

export function wordsOf(engine: Engine) {
  const isSqlite = engine === 'sqlite'
  const digits = (number: string) =>
    isSqlite ? `printf('%023x', ${number})` : `lpad(to_hex(cast(${number} as bigint)), 23, '0')`
  return {
    /** Returns SQL for the id with this number. Ids ascend with the number and sort before the ids of new rows. */
    id: (prefix: string, number: string) => `'${prefix}_01h' || ${digits(number)}`,
    idOf: (prefix: string, number: number) =>
      `${prefix}_01h${number.toString(16).padStart(23, '0')}`,
    /** Returns SQL for a pseudorandom number from 0 to 2,147,483,646. `salt` selects one of several sequences. */
    hash: (number: string, salt: number) =>
      `(((${number}) * 2654435761 + ${salt * 40_503_001}) % 4294967291 * 69069 % 2147483647)`,
    series: (count: number) =>
      isSqlite
        ? `(with recursive numbers (i) as (select 0 union all select i + 1 from numbers where i < ${count - 1}) select i from numbers) as numbers`
        : `(select cast(i as bigint) as i from generate_series(0, ${count - 1}) as g (i)) as numbers`,
    times: { start: START, span: SPAN },
  }
}
