/** Who is who in a world, how many of each thing it has, and the words in which the engines make them of numbers. */
import type { Engine } from '../src/db/statement.ts'

/** People with a part of their own; the others are alike. */
export const PERSON = {
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
} as const
export type Part = keyof typeof PERSON

export interface Sizes {
  people: number
  works: number
  /** Likes of every person; a few fall together. */
  likesEach: number
  /** Comments apart from those of the work with the most. */
  comments: number
  /** Comments of that work. */
  heavyComments: number
  /** Notifications of one person. */
  notifications: number
  /** Followers of one person. */
  followers: number
  /** Creators whom one person follows, the same at every size. */
  follows: number
  /** Creators whom another follows, who grows as the rest. */
  growingFollows: number
  /** Likes of one person. */
  heavyLikes: number
  /** Conversations of one person, and messages of one of those. */
  conversations: number
  messages: number
  /** Posts, replies to one of them, and posts of one person. */
  posts: number
  replies: number
  ownPosts: number
  /** Deliveries to one webhook. */
  deliveries: number
}

const PEOPLE = 600_000
/** How many times the small world the large one is. */
export const GROWTH = 100

/** A world of this share of the large one at scale 1; `least` is the share of the small one. */
export function sizesOf(share: number, least: number): Sizes {
  const of = (n: number) => Math.max(1, Math.round(n * share))
  return {
    people: of(PEOPLE),
    works: of(1_000_000),
    likesEach: 16,
    comments: of(4_000_000),
    heavyComments: of(1_000_000),
    notifications: of(1_000_000),
    followers: of(500_000),
    follows: Math.min(5000, Math.floor(PEOPLE * least * 0.8)),
    growingFollows: of(5000),
    heavyLikes: of(20_000),
    conversations: of(20_000),
    messages: of(100_000),
    posts: of(500_000),
    replies: of(50_000),
    ownPosts: of(20_000),
    deliveries: of(100_000),
  }
}

/** The work with the most comments and likes: the newest that is public, a video. */
export function heavyWork({ works }: Sizes): number {
  let number = works - 1
  while (number % 4 !== 0 || number % 97 === 5 || number % 97 === 6 || number % 50 !== 0) number--
  return number
}

const SPAN = 365 * 24 * 60 * 60 * 1000
/** The same for every world, so that ids and times can be told from numbers. */
const START = Date.UTC(2025, 10, 1)

export function wordsOf(engine: Engine) {
  const isSqlite = engine === 'sqlite'
  const digits = (number: string) =>
    isSqlite ? `printf('%023x', ${number})` : `lpad(to_hex(cast(${number} as bigint)), 23, '0')`
  return {
    /** The id of this number, as SQL. Ascends with the number, and is less than any made today. */
    id: (prefix: string, number: string) => `'${prefix}_01h' || ${digits(number)}`,
    idOf: (prefix: string, number: number) =>
      `${prefix}_01h${number.toString(16).padStart(23, '0')}`,
    /** A number that looks random, not negative. */
    hash: (number: string, salt: number) =>
      `(((${number}) * 2654435761 + ${salt * 40_503_001}) % 4294967291 * 69069 % 2147483647)`,
    /** Numbers `i` from 0. */
    series: (count: number) =>
      isSqlite
        ? `(with recursive numbers (i) as (select 0 union all select i + 1 from numbers where i < ${count - 1}) select i from numbers) as numbers`
        : `(select cast(i as bigint) as i from generate_series(0, ${count - 1}) as g (i)) as numbers`,
    times: { start: START, span: SPAN },
  }
}
