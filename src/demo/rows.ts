/** The rows of a made-up community, table by table. */
import { toMedia } from '../contents/media.ts'
import { tagKey } from '../contents/schema.ts'
import type { Flag } from '../db/flag.ts'
import type { Row } from '../db/statement.ts'
import type { UploadRow } from '../db/media-tables.ts'
import type {
  AuditEntryRow,
  CommentRow,
  ContentRow,
  ContentStatsRow,
  ConversationMemberRow,
  ConversationRow,
  MessageRow,
  NotificationCountsRow,
  NotificationRow,
  PostRow,
  Tables,
  UserRow,
} from '../db/tables.ts'
import { urlOf } from '../uploads/schema.ts'
import { keyOf, searchTextOf } from '../users/schema.ts'
import type { Filled } from './inserts.ts'
import { thumbnailOf } from './media.ts'
import type {
  Branch,
  Comment,
  Conversation,
  Inbox,
  Mark,
  Message,
  Notice,
  Person,
  Play,
  Post,
  Upload,
  Verdict,
  Work,
  World,
} from './world.ts'

/** Rows for one table, made as they are asked for. */
interface Filling {
  table: Filled
  count: number
  row(at: number): Row
}

/** In the order in which they go in. */
export function listFillings(world: World, passwordHash: string): Filling[] {
  const { people, works, conversations } = world
  const articles = works.flatMap(({ id, text }) => (text ? [{ content_id: id, body: text }] : []))
  const tagged = works.flatMap(({ id, category, is_public, tags, published_at }) =>
    is_public && published_at !== null
      ? tags.map((tag) => ({ tag: tagKey(tag), content_id: id, category, published_at }))
      : [],
  )
  const shown = works.flatMap(({ id, media }) =>
    media.map((upload, position) => ({
      content_id: id,
      position,
      upload_id: upload.id,
      file_sha256: upload.file.sha256,
    })),
  )
  const members = conversations.flatMap((conversation) => [
    toMember(conversation, conversation.creator, conversation.peer),
    toMember(conversation, conversation.peer, conversation.creator),
  ])
  const same = <T>(row: T) => row
  return [
    filling('users', people, (person) => toUser(person, passwordHash)),
    filling('uploads', world.uploads, toUploadRow),
    filling('user_counts', people, toUserCounts),
    filling('contents', works, toContentRow),
    filling('content_media', shown, same),
    filling('content_texts', articles, same),
    filling('content_stats', works, toStats),
    filling('content_tags', tagged, same),
    filling('likes', world.likes, toMark),
    filling('bookmarks', world.bookmarks, toMark),
    filling('plays', world.plays, toPlay),
    filling('follows', world.follows, ({ creator, follower, at }) => ({
      creator_id: creator.id,
      follower_id: follower.id,
      created_at: at,
    })),
    filling('comments', byTime(world.comments), toComment),
    filling('posts', byTime(world.posts), toPost),
    filling('post_likes', world.postLikes, ({ post, person, at }) => ({
      post_id: post.id,
      user_id: person.id,
      created_at: at,
    })),
    filling('conversations', conversations, toConversation),
    filling('conversation_members', members, same),
    filling('messages', world.messages, toMessage),
    filling('notifications', world.notices, toNotification),
    filling('notification_counts', [...world.inboxes], toNotificationCounts),
    filling('audit_entries', world.verdicts, toAuditEntry),
  ]
}

function filling<T extends Filled, E>(
  table: T,
  list: readonly E[],
  toRow: (entity: E) => Omit<Tables[T], 'hot_score' | 'heat'>,
): Filling {
  return {
    table,
    count: list.length,
    row: (at) => toRow(list[at] as E) as Row,
  }
}

/** What is replied to before its replies. */
function byTime<B extends Branch>(branches: readonly B[]): B[] {
  return branches.toSorted((a, b) => a.at - b.at)
}

const flag = (value: boolean): Flag => (value ? 1 : 0)

function toUser(person: Person, password_hash: string): UserRow {
  const { id, handle, email, display_name, bio, role, tier, suspension, at, until } = person
  return {
    id,
    handle,
    email,
    email_key: keyOf(email),
    password_hash,
    display_name,
    bio,
    avatar_url: avatarOf(person),
    role,
    tier,
    is_suspended: flag(suspension !== null),
    suspended_at: suspension === null ? null : until,
    suspension_reason: suspension,
    last_seen_at: until,
    created_at: at,
    search_text: searchTextOf(person),
  }
}

function avatarOf({ avatar }: Person): string | null {
  const path = avatar?.file.thumbnail_path
  return path ? urlOf(path) : null
}

function toUploadRow({ id, owner, file, at }: Upload): UploadRow {
  return { id, owner_id: owner.id, file_sha256: file.sha256, created_at: at }
}

function toPlay({ id, game, person, at }: Play) {
  return { id, game_id: game.id, user_id: person.id, created_at: at }
}

function toUserCounts({ id, counts }: Person) {
  return { user_id: id, ...counts }
}

function toContentRow(work: Work): ContentRow {
  const { id, creator, category, type, title, description, tags, status, game } = work
  const path = thumbnailOf(work)
  return {
    id,
    creator_id: creator.id,
    category,
    type,
    title,
    description,
    tags: JSON.stringify(tags),
    status,
    media: JSON.stringify(
      work.media.map(({ id: uploadId, file }) => toMedia({ ...file, id: uploadId })),
    ),
    thumbnail_url: path && urlOf(path),
    thumbnail_upload_id: work.thumbnail?.id ?? null,
    game,
    published_at: work.published_at,
    created_at: work.at,
    updated_at: work.updated_at,
  }
}

function toStats(work: Work): Omit<ContentStatsRow, 'hot_score'> {
  return {
    content_id: work.id,
    creator_id: work.creator.id,
    category: work.category,
    is_public: flag(work.is_public),
    published_at: work.published_at,
    like_count: work.like_count,
    bookmark_count: work.bookmark_count,
    comment_count: work.comment_count,
    listed_comment_count: work.listed_comment_count,
    top_comment_count: work.top_comment_count,
    view_count: work.view_count,
    play_count: work.play_count,
    last_comment_id: work.last_comment?.id ?? null,
  }
}

function toMark({ work, person, at }: Mark) {
  return { content_id: work.id, user_id: person.id, created_at: at }
}

function toBranch(branch: Branch) {
  return {
    id: branch.id,
    author_id: branch.author.id,
    body: branch.body,
    parent_id: branch.parent?.id ?? null,
    root_id: branch.root?.id ?? null,
    is_deleted: flag(branch.is_deleted),
    is_listed: flag(branch.is_listed),
    reply_count: branch.reply_count,
    listed_reply_count: branch.listed_reply_count,
    created_at: branch.at,
  }
}

function toComment(comment: Comment): CommentRow {
  return { ...toBranch(comment), content_id: comment.work.id, updated_at: comment.updated_at }
}

function toPost(post: Post): PostRow {
  const last_reply_id = post.last_reply?.id ?? null
  return { ...toBranch(post), like_count: post.like_count, last_reply_id }
}

function updatedAt({ at, messages }: Conversation): number {
  return messages.at(-1)?.at ?? at
}

function toConversation(conversation: Conversation): ConversationRow {
  const { id, creator, peer, at, messages } = conversation
  const [user_low, user_high] = [creator.id, peer.id].sort() as [string, string]
  return {
    id,
    user_low,
    user_high,
    last_message_id: messages.at(-1)?.id ?? null,
    created_at: at,
    updated_at: updatedAt(conversation),
  }
}

function toMember(conversation: Conversation, side: Person, peer: Person): ConversationMemberRow {
  const { id, creator, messages, read } = conversation
  const count = read.get(side) ?? 0
  return {
    conversation_id: id,
    user_id: side.id,
    peer_id: peer.id,
    is_listed: flag(side === creator || messages.length > 0),
    unread_count: messages.slice(count).filter(({ sender }) => sender === peer).length,
    read_up_to: messages[count - 1]?.id ?? '',
    updated_at: updatedAt(conversation),
  }
}

function toMessage({ id, conversation, sender, body, at }: Message): MessageRow {
  return {
    id,
    conversation_id: conversation.id,
    sender_id: sender.id,
    body,
    client_message_id: null,
    created_at: at,
  }
}

function toNotification(notice: Notice): NotificationRow {
  const { id, to, type, kind, actor, subject, params, link, is_read, at } = notice
  return {
    id,
    user_id: to.id,
    type,
    kind,
    actor_id: actor.id,
    subject_id: subject.id,
    params: JSON.stringify(params),
    link: link(),
    is_read: flag(is_read),
    created_at: at,
  }
}

function toNotificationCounts([person, inbox]: [Person, Inbox]): NotificationCountsRow {
  return {
    user_id: person.id,
    total: inbox.total,
    unread: inbox.unread,
    read_up_to: inbox.readUpTo?.id ?? '',
    last_notification_id: inbox.last?.id ?? null,
  }
}

function toAuditEntry({ id, actor, target, at }: Verdict): AuditEntryRow {
  const { role, suspension } = target
  return {
    id,
    actor_id: actor.id,
    target_id: target.id,
    action: 'suspended',
    before: JSON.stringify({ role, is_suspended: false, suspension_reason: null }),
    after: JSON.stringify({ role, is_suspended: true, suspension_reason: suspension }),
    reason: suspension,
    request_id: null,
    created_at: at,
  }
}
