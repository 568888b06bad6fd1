/** Data of the demo site. Times are Unix times in milliseconds. Ids are empty until the server returns them. */
import type { InputOf } from '#sdk'
import type { Tongue } from './phrase.ts'

type Input = InputOf<'createContent'>

export interface Entity {
  id: string
  created_at: number
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
  suspension: string | null
  activity: number
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
  game: { orientation: 'landscape' | 'portrait' | 'any'; controls: string[] } | null
  isPlayable: boolean
  text: string | null
  media: Blob[]
  thumbnail: Blob | undefined
  published_at: number | null
  archived_at: number | null
  /** End of the time in which users can act on the content. */
  until: number
  likes: number
  comments: number
}

export interface Remark extends Entity {
  author: User
  body: string
  content: Content | null
  parent: Remark | undefined
  edit?: { time: number; body: string }
  deleted_at: number | null
}

export interface Interaction<T extends Entity = Content> {
  target: T
  user: User
  time: number
}

/** `browser` is the user agent, which distinguishes visitors without an account. */
export type Visit = Omit<Interaction, 'user'> & { browser: string }

export interface Conversation extends Entity {
  creator: User
  peer: User
  messages: { time: number; sender: User; body: string }[]
  readings: { user: User; time: number }[]
}

export interface World {
  users: User[]
  /** Content that is published before `contents`: one item for each generated video, all by the first user. */
  premieres: Content[]
  contents: Content[]
  likes: Interaction[]
  bookmarks: Interaction[]
  visits: Visit[]
  plays: Interaction[]
  follows: Interaction<User>[]
  comments: Remark[]
  posts: Remark[]
  postLikes: Interaction<Remark>[]
  conversations: Conversation[]
}
