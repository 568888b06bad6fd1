/** The made-up community in memory, before it has ids. Times are epoch milliseconds. */
import type { FileRow } from '../db/media-tables.ts'
import type {
  Category,
  ContentStatus,
  ContentType,
  NotificationType,
  Role,
  Tier,
  UserCountsRow,
} from '../db/tables.ts'
import type { NotificationKind } from '../notifications/schema.ts'
import type { Tongue } from './phrase.ts'
import type { Stock } from './stock.ts'

export interface Entity {
  /** Empty until everything is made: ids follow the order of time. */
  id: string
  /** When it came to be. */
  at: number
}

export interface Person extends Entity {
  tongue: Tongue
  handle: string
  email: string
  display_name: string
  bio: string | null
  role: Role
  tier: Tier
  /** Acts from `at` until then: the suspension, or the last visit. */
  until: number
  /** Why the person is suspended, if so. */
  suspension: string | null
  /** How much the person does, compared with others. */
  activity: number
  /** How much the person makes and is followed, compared with others. */
  fame: number
  avatar: Upload | undefined
  counts: Omit<UserCountsRow, 'user_id'>
}

export interface Work extends Entity {
  creator: Person
  category: Category
  type: ContentType
  title: string
  description: string | null
  tags: string[]
  status: ContentStatus
  /** JSON, for games. */
  game: string | null
  /** Whether it is a game with a bundle. */
  isPlayable: boolean
  /** Text of an article. */
  text: string | null
  media: Upload[]
  /** A picture that was chosen to stand for it. */
  thumbnail: Upload | undefined
  published_at: number | null
  updated_at: number
  /** People can act on it until then. */
  until: number
  is_public: boolean
  /** How many likes and comments it draws. */
  likes: number
  comments: number
  like_count: number
  bookmark_count: number
  comment_count: number
  listed_comment_count: number
  top_comment_count: number
  view_count: number
  play_count: number
  last_comment: Comment | undefined
}

/** A file of the stock that somebody uploaded. */
export interface Upload extends Entity {
  owner: Person
  file: FileRow
}

/** A comment or post with its place in a tree. */
export interface Branch extends Entity {
  author: Person
  body: string
  parent: this | undefined
  root: this | undefined
  is_deleted: boolean
  is_listed: boolean
  reply_count: number
  listed_reply_count: number
}

export interface Comment extends Branch {
  work: Work
  updated_at: number
}

export interface Post extends Branch {
  like_count: number
  last_reply: Post | undefined
}

export interface Mark {
  work: Work
  person: Person
  at: number
}

export interface Play extends Entity {
  game: Work
  person: Person
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
  /** For each side, how many messages it has read. */
  read: Map<Person, number>
}

export interface Message extends Entity {
  conversation: Conversation
  sender: Person
  body: string
}

export interface Notice extends Entity {
  to: Person
  type: NotificationType
  kind: NotificationKind
  actor: Person
  subject: Entity
  params: Record<string, string>
  link: () => string
  is_read: boolean
}

/** What a person has seen of the notices. */
export interface Inbox {
  total: number
  unread: number
  readUpTo: Notice | undefined
  last: Notice | undefined
}

/** A suspension in the audit log. */
export interface Verdict extends Entity {
  actor: Person
  target: Person
}

export interface World {
  stock: Stock
  people: Person[]
  uploads: Upload[]
  works: Work[]
  likes: Mark[]
  bookmarks: Mark[]
  plays: Play[]
  follows: Follow[]
  comments: Comment[]
  posts: Post[]
  postLikes: PostLike[]
  conversations: Conversation[]
  messages: Message[]
  notices: Notice[]
  inboxes: Map<Person, Inbox>
  verdicts: Verdict[]
}
