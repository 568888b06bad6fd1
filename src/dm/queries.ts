import { sql } from 'kysely'
import type { Flag } from '../db/flag.ts'
import type { Handle, Tx } from '../db/handle.ts'
import {
  type AsParams,
  type Query,
  pickParams,
  statement,
  statementFamily,
  TRUE,
  FALSE,
} from '../db/statement.ts'
import { isBlocked } from '../db/user-filters.ts'
import type { ConversationMemberRow, ConversationRow, MessageRow } from '../db/dm-tables.ts'

export interface SummaryRow {
  id: string
  last_message_id: string | null
  created_at: number
  updated_at: number
  unread_count: number
  read_up_to: string
  peer_read_up_to: string
  peer_id: string
  peer_handle: string
  peer_display_name: string
  peer_avatar_url: string | null
  peer_is_suspended: Flag
}

function summaries(q: Query) {
  return q
    .selectFrom('conversation_members as mine')
    .innerJoin('conversations', 'conversations.id', 'mine.conversation_id')
    .innerJoin('conversation_members as theirs', (join) =>
      join
        .onRef('theirs.conversation_id', '=', 'mine.conversation_id')
        .onRef('theirs.user_id', '=', 'mine.peer_id'),
    )
    .innerJoin('users as peer', 'peer.id', 'mine.peer_id')
    .select([
      'conversations.id',
      'conversations.last_message_id',
      'conversations.created_at',
      'mine.updated_at',
      'mine.unread_count',
      'mine.read_up_to',
      'theirs.read_up_to as peer_read_up_to',
      'peer.id as peer_id',
      'peer.handle as peer_handle',
      'peer.display_name as peer_display_name',
      'peer.avatar_url as peer_avatar_url',
      'peer.is_suspended as peer_is_suspended',
    ])
}

const ofUser = statement((q, p: { id: string; userId: string }) =>
  summaries(q).where('mine.conversation_id', '=', p.id).where('mine.user_id', '=', p.userId),
)

/** Returns undefined unless the user is a participant. */
export function findConversationOf(
  db: Handle,
  id: string,
  userId: string,
): Promise<SummaryRow | undefined> {
  return db.first(ofUser, { id, userId })
}

const ofSender = statement((q, p: { id: string; userId: string }) =>
  summaries(q)
    .select(isBlocked(p.userId, sql.ref('peer.id')).as('is_blocked'))
    .where('mine.conversation_id', '=', p.id)
    .where('mine.user_id', '=', p.userId),
)

/** Like `findConversationOf`, with the conditions for sending a message. */
export function findConversationOfSender(db: Handle, id: string, userId: string) {
  return db.first(ofSender, { id, userId })
}

const latest = statementFamily(({ below }: { below: boolean }) =>
  statement((q, p: { userId: string; limit: number; below: string }) =>
    summaries(q)
      .where('mine.user_id', '=', p.userId)
      .where('mine.is_listed', '=', TRUE)
      .$if(below, (rows) =>
        rows.where(
          sql<boolean>`(mine.updated_at, mine.conversation_id) < (
            select place.updated_at, place.conversation_id from conversation_members as place
            where place.conversation_id = ${p.below} and place.user_id = ${p.userId})`,
        ),
      )
      .orderBy('mine.updated_at', 'desc')
      .orderBy('mine.conversation_id', 'desc')
      .limit(p.limit),
  ),
)

/** Lists the latest activity first, from the top or below the current position of `below`. */
export function listConversationsOf(
  db: Handle,
  userId: string,
  below: string | undefined,
  limit: number,
): Promise<SummaryRow[]> {
  const page = latest({ below: below !== undefined })
  return db.all(page, { userId, limit, below: below ?? '' })
}

// Omits `is_listed` from the condition: PostgreSQL would otherwise scan the index of all listed conversations
// of the user.
const listed = statement((q, p: { id: string; userId: string }) =>
  q
    .selectFrom('conversation_members')
    .select('is_listed')
    .where('conversation_id', '=', p.id)
    .where('user_id', '=', p.userId),
)

export async function isListed(db: Handle, id: string, userId: string): Promise<boolean> {
  return (await db.first(listed, { id, userId }))?.is_listed === 1
}

const lock = statement((q, p: { id: string; userId: string }, dialect) =>
  dialect.locked(
    q
      .selectFrom('conversations')
      .select('id')
      .where('id', '=', p.id)
      .where((e) => e.or([e('user_low', '=', p.userId), e('user_high', '=', p.userId)])),
  ),
)

/** Locks nothing unless the user is a participant. */
export async function lockConversationOf(tx: Tx, id: string, userId: string): Promise<void> {
  await tx.send(lock, { id, userId })
}

const insert = statement((q, p: AsParams<ConversationRow>) =>
  q
    .insertInto('conversations')
    .values(
      pickParams(p, ['id', 'user_low', 'user_high', 'last_message_id', 'created_at', 'updated_at']),
    )
    .onConflict((conflict) => conflict.columns(['user_low', 'user_high']).doNothing()),
)

/** Returns false when the two users already have a conversation, which the next statement then sees. */
export async function insertConversation(tx: Tx, row: ConversationRow): Promise<boolean> {
  return (await tx.run(insert, { ...row })) > 0
}

const insertMember = statement((q, p: AsParams<ConversationMemberRow>) =>
  q
    .insertInto('conversation_members')
    .values(
      pickParams(p, [
        'conversation_id',
        'user_id',
        'peer_id',
        'is_listed',
        'state',
        'unread_count',
        'read_up_to',
        'cleared_up_to',
        'updated_at',
      ]),
    ),
)

export async function insertConversationMember(tx: Tx, row: ConversationMemberRow): Promise<void> {
  await tx.run(insertMember, { ...row })
}

type Pair = Pick<ConversationRow, 'user_low' | 'user_high'>

const ofPair = statement((q, p: AsParams<Pair>) =>
  q
    .selectFrom('conversations')
    .select('id')
    .where('user_low', '=', p.user_low)
    .where('user_high', '=', p.user_high),
)

export function findConversationOfPair(db: Handle, { user_low, user_high }: Pair) {
  return db.first(ofPair, { user_low, user_high })
}

const lockPair = statement((q, p: AsParams<Pair>, dialect) =>
  dialect.locked(
    q
      .selectFrom('conversations')
      .select('id')
      .where('user_low', '=', p.user_low)
      .where('user_high', '=', p.user_high),
  ),
)

export async function lockConversationOfPair(tx: Tx, pair: Pair): Promise<void> {
  await tx.send(lockPair, pair)
}

const show = statement((q, p: { id: string; userId: string }) =>
  q
    .updateTable('conversation_members')
    .set({ is_listed: 1 })
    .where('conversation_id', '=', p.id)
    .where('user_id', '=', p.userId)
    .where('is_listed', '=', FALSE),
)

export async function updateListed(tx: Tx, id: string, userId: string): Promise<void> {
  await tx.run(show, { id, userId })
}

const insertOne = statement((q, p: AsParams<MessageRow>) =>
  q
    .insertInto('messages')
    .values(
      pickParams(p, [
        'id',
        'conversation_id',
        'sender_id',
        'body',
        'client_message_id',
        'is_deleted',
        'created_at',
      ]),
    ),
)
const advance = statement((q, p: { conversation_id: string; id: string; created_at: number }) =>
  q
    .updateTable('conversations')
    .set({ last_message_id: p.id, updated_at: p.created_at })
    .where('id', '=', p.conversation_id),
)
const advanceMembers = statement(
  (q, p: { conversation_id: string; sender_id: string; created_at: number }) =>
    q
      .updateTable('conversation_members')
      .set({
        is_listed: 1,
        updated_at: p.created_at,
        unread_count: sql<number>`unread_count + case when user_id = ${p.sender_id} then 0 else 1 end`,
      })
      .where('conversation_id', '=', p.conversation_id),
)

/** Also moves the conversation up in both users' lists, and increments the recipient's unread count. */
export async function insertMessage(tx: Tx, row: MessageRow): Promise<void> {
  await tx.send(insertOne, { ...row })
  await tx.send(advance, { ...row })
  await tx.send(advanceMembers, { ...row })
}

const byClientId = statement(
  (q, p: { conversationId: string; senderId: string; clientMessageId: string }) =>
    q
      .selectFrom('messages')
      .selectAll()
      .where('conversation_id', '=', p.conversationId)
      .where('sender_id', '=', p.senderId)
      .where('client_message_id', '=', p.clientMessageId),
)

export function findMessageByClientId(
  db: Handle,
  conversationId: string,
  senderId: string,
  clientMessageId: string,
): Promise<MessageRow | undefined> {
  return db.first(byClientId, { conversationId, senderId, clientMessageId })
}

const inConversation = statement((q, p: { conversationId: string; id: string }) =>
  q
    .selectFrom('messages')
    .select('id')
    .where('id', '=', p.id)
    .where('conversation_id', '=', p.conversationId),
)

export async function hasMessage(db: Handle, conversationId: string, id: string): Promise<boolean> {
  return (await db.first(inConversation, { conversationId, id })) !== undefined
}

const newest = statementFamily(({ before }: { before: boolean }) =>
  statement((q, p: { conversationId: string; before: string; limit: number }) =>
    q
      .selectFrom('messages')
      .selectAll()
      .where('conversation_id', '=', p.conversationId)
      .$if(before, (rows) => rows.where('id', '<', p.before))
      .orderBy('id', 'desc')
      .limit(p.limit),
  ),
)

export function listMessageRows(
  db: Handle,
  conversationId: string,
  before: string | undefined,
  limit: number,
): Promise<MessageRow[]> {
  const page = newest({ before: before !== undefined })
  return db.all(page, { conversationId, before: before ?? '', limit })
}

const byIds = statement((q, p: { ids: string[] }, dialect) =>
  q.selectFrom('messages').selectAll().where(dialect.anyOf('id', p.ids)),
)

export function listMessagesById(db: Handle, ids: string[]): Promise<MessageRow[]> {
  return db.all(byIds, { ids })
}

const markRead = statement((q, p: { id: string; userId: string; upTo: string }) =>
  q
    .updateTable('conversation_members')
    .set({ unread_count: 0, read_up_to: p.upTo })
    .where('conversation_id', '=', p.id)
    .where('user_id', '=', p.userId),
)

export async function updateReadMark(
  tx: Tx,
  id: string,
  userId: string,
  upTo: string,
): Promise<void> {
  await tx.send(markRead, { id, userId, upTo })
}
