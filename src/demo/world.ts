/**
 * What a community will do, before any of it is done. Times are epoch milliseconds. An id is empty
 * until the server has given it.
 */
import type { InputOf } from '#sdk'
import type { Tongue } from './phrase.ts'

export type Category = InputOf<'createContent'>['category']
export type ContentType = InputOf<'createContent'>['type']

export interface Entity {
  id: string
  /** When it comes to be. */
  at: number
}

export interface Person extends Entity {
  tongue: Tongue
  handle: string
  email: string
  display_name: string
  bio: string | null
  isAdmin: boolean
  /** Acts from `at` until then: the suspension, or the last visit. */
  until: number
  /** Why the person is suspended, if so. */
  suspension: string | null
  /** How much the person does, compared with others. */
  activity: number
  /** How much the person makes and is followed, compared with others. */
  fame: number
  portrait: Blob | undefined
}

export interface Work extends Entity {
  creator: Person
  category: Category
  type: ContentType
  title: string
  description: string | null
  tags: string[]
  /** How a game is played. */
  game: { orientation: 'landscape' | 'portrait' | 'any'; controls: string[] } | null
  /** Whether it is a game with a bundle. */
  isPlayable: boolean
  /** Text of an article. */
  text: string | null
  media: Blob[]
  /** A picture that was chosen to stand for it. */
  thumbnail: Blob | undefined
  /** Null for what stays a draft. */
  published_at: number | null
  archived_at: number | null
  /** People can act on it until then. */
  until: number
  /** How many likes and comments it draws. */
  likes: number
  comments: number
}

/** A comment or post with its place in a tree. */
export interface Branch extends Entity {
  author: Person
  body: string
  parent: this | undefined
  deleted_at: number | null
}

export interface Comment extends Branch {
  work: Work
  /** A second thought about it. */
  edit: { at: number; body: string } | undefined
}

export type Post = Branch

export interface Mark {
  work: Work
  person: Person
  at: number
}

/** Somebody without an account who looks at a work. */
export interface Visit {
  work: Work
  at: number
  /** Of the visitor's browser: by it one is told from another. */
  browser: string
}

export interface Follow {
  creator: Person
  follower: Person
  at: number
}

export interface PostLike {
  post: Post
  person: Person
  at: number
}

export interface Conversation extends Entity {
  creator: Person
  peer: Person
  messages: Message[]
  /** When each side reads what is there. */
  readings: { person: Person; at: number }[]
}

export interface Message {
  at: number
  conversation: Conversation
  sender: Person
  body: string
}

export interface World {
  people: Person[]
  /** The videos of the stock, as works of the first person, who brings them in before all else. */
  premieres: Work[]
  /** Those among them. */
  works: Work[]
  likes: Mark[]
  bookmarks: Mark[]
  visits: Visit[]
  plays: Mark[]
  follows: Follow[]
  comments: Comment[]
  posts: Post[]
  postLikes: PostLike[]
  conversations: Conversation[]
  messages: Message[]
}
