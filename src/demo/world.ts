/**
 * Data of the generated community, before the API calls create it. Times are epoch milliseconds. Ids are
 * empty until the server returns them.
 */
import type { InputOf } from '#sdk'
import type { Tongue } from './phrase.ts'

export type Category = InputOf<'createContent'>['category']
export type ContentType = InputOf<'createContent'>['type']

export interface Entity {
  id: string
  /** Time of creation. */
  at: number
}

export interface User extends Entity {
  tongue: Tongue
  handle: string
  email: string
  display_name: string
  bio: string | null
  isAdmin: boolean
  /** The user acts from `at` until this time: the suspension or the last visit. */
  until: number
  /** Reason of the suspension, null when the user is not suspended. */
  suspension: string | null
  /** How much the user does, relative to others. */
  activity: number
  /** How much the user creates and is followed, relative to others. */
  fame: number
  portrait: Blob | undefined
}

export interface Content extends Entity {
  creator: User
  category: Category
  type: ContentType
  title: string
  description: string | null
  tags: string[]
  /** How the game is played. Null for other types. */
  game: { orientation: 'landscape' | 'portrait' | 'any'; controls: string[] } | null
  /** True for a game with a bundle. */
  isPlayable: boolean
  /** Text of an article. */
  text: string | null
  media: Blob[]
  /** The chosen thumbnail. */
  thumbnail: Blob | undefined
  /** Null for drafts. */
  published_at: number | null
  archived_at: number | null
  /** Users can act on it until this time. */
  until: number
  /** Target numbers of likes and comments. */
  likes: number
  comments: number
}

/** A comment or post in a tree of replies. */
export interface Branch extends Entity {
  author: User
  body: string
  parent: this | undefined
  deleted_at: number | null
}

export interface Comment extends Branch {
  content: Content
  /** A later edit. */
  edit: { at: number; body: string } | undefined
}

export type Post = Branch

export interface Mark {
  content: Content
  user: User
  at: number
}

/** A view by a visitor without an account. */
export interface Visit {
  content: Content
  at: number
  /** User agent, which distinguishes visitors. */
  browser: string
}

export interface Follow {
  creator: User
  follower: User
  at: number
}

export interface PostLike {
  post: Post
  user: User
  at: number
}

export interface Conversation extends Entity {
  creator: User
  peer: User
  messages: Message[]
  /** When each participant reads the messages so far. */
  readings: { user: User; at: number }[]
}

export interface Message {
  at: number
  conversation: Conversation
  sender: User
  body: string
}

export interface World {
  users: User[]
  /** One content of the first user for each video of the stock, created before all others. */
  premieres: Content[]
  /** All contents, premieres included. */
  contents: Content[]
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
