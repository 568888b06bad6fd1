/**
 * Data of the generated community before the API calls create it. Times are epoch milliseconds. Ids are empty
 * until the server returns them.
 */
import type { InputOf } from '#sdk'
import type { Tongue } from './phrase.ts'

type Input = InputOf<'createContent'>

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
  /** End of the user's activity: the time of the suspension or of the last visit. */
  until: number
  /** Reason of the suspension, null when the user is not suspended. */
  suspension: string | null
  /** Relative frequency of the user's actions. */
  activity: number
  /** Relative number of the user's contents and followers. */
  fame: number
  portrait?: Blob
}

export interface Content extends Entity {
  creator: User
  category: Input['category']
  type: Input['type']
  title: string
  description: string | null
  tags: string[]
  /** Orientation and controls of a game. Null for other types. */
  game: { orientation: 'landscape' | 'portrait' | 'any'; controls: string[] } | null
  /** True for a game that gets a playable bundle. */
  isPlayable: boolean
  /** Text of an article. */
  text: string | null
  media: Blob[]
  /** The chosen thumbnail. */
  thumbnail: Blob | undefined
  /** Null for drafts. */
  published_at: number | null
  archived_at: number | null
  /** End of the time in which users can act on the content. */
  until: number
  /** Target numbers of likes and comments. */
  likes: number
  comments: number
}

/** A comment on content, or a post. */
export interface Remark extends Entity {
  author: User
  body: string
  /** Null for posts. */
  content: Content | null
  parent: Remark | undefined
  edit?: { at: number; body: string }
  deleted_at: number | null
}

/** Reaction of a user to content or a post. */
export interface Mark<T extends Entity = Content> {
  target: T
  user: User
  at: number
}

/** A view by a visitor without an account. `browser` is the user agent, which distinguishes visitors. */
export type Visit = Omit<Mark, 'user'> & { browser: string }

export interface Conversation extends Entity {
  creator: User
  peer: User
  messages: { at: number; sender: User; body: string }[]
  /** Times at which each participant reads the messages so far. */
  readings: { user: User; at: number }[]
}

export interface World {
  users: User[]
  /** Contents of the first user, one for each video of the stock. They are published before all others. */
  premieres: Content[]
  /** All contents, including the premieres. */
  contents: Content[]
  likes: Mark[]
  bookmarks: Mark[]
  visits: Visit[]
  plays: Mark[]
  follows: Mark<User>[]
  comments: Remark[]
  posts: Remark[]
  postLikes: Mark<Remark>[]
  conversations: Conversation[]
}
