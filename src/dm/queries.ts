import { sql } from 'kysely'
import type { Flag } from '../db/flag.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { findRow, updateRows } from '../db/rows.ts'
import {
  type AsParams,
  type Query,
  rawQuery,
  statement,
  statementFamily,
  TRUE,
} from '../db/statement.ts'
import type { ConversationRow, ConversationState, MessageRow } from '../db/dm-tables.ts'

export interface SummaryRow {
  id: string
  last_message_id: string | null
  created_at: number
  updated_at: number
  state: ConversationState
  unread_count: number
  read_up_to: string
  cleared_up_to: string
  peer_read_up_to: string
  peer_id: string
  peer_handle: string
  peer_display_name: string
  peer_avatar_url: string | null
  peer_avatar_sizes: string | null
  peer_is_suspended: Flag
  peer_erased_at: number | null
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
      'mine.state',
      'mine.unread_count',
      'mine.read_up_to',
      'mine.cleared_up_to',
      'theirs.read_up_to as peer_read_up_to',
      'peer.id as peer_id',
      'peer.handle as peer_handle',
      'peer.display_name as peer_display_name',
      'peer.avatar_url as peer_avatar_url',
      'peer.avatar_sizes as peer_avatar_sizes',
      'peer.is_suspended as peer_is_suspended',
      'peer.erased_at as peer_erased_at',
    ])
}

const ofUser = statement((q, p: { id: string; userId: string }) =>
  summaries(q).where('mine.conversation_id', '=', p.id).where('mine.user_id', '=', p.userId),
)

/** Returns a conversation as the user sees it, or undefined when the user is not a participant. */
export function findConversationOf(
  db: Handle,
  id: string,
  userId: string,
): Promise<SummaryRow | undefined> {
  return db.first(ofUser, { id, userId })
}

const latest = statementFamily(({ below }: { below: boolean }) =>
  statement((q, p: { userId: string; state: ConversationState; limit: number; below: string }) =>
    summaries(q)
      .where('mine.user_id', '=', p.userId)
      .where('mine.state', '=', p.state)
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

/**
 * Returns a user's conversations, latest activity first, starting at the top or after the conversation `below`.
 */
export function listConversationsOf(
  db: Handle,
  {
    below,
    ...list
  }: { userId: string; state: ConversationState; below: string | undefined; limit: number },
): Promise<SummaryRow[]> {
  const page = latest({ below: below !== undefined })
  return db.all(page, { ...list, below: below ?? '' })
}

const newest = statementFamily(({ before }: { before: boolean }) =>
  statement((q, p: { conversationId: string; userId: string; before: string; limit: number }) =>
    q
      .selectFrom('messages')
      .selectAll()
      .where('conversation_id', '=', p.conversationId)
      .where('id', '>', (e) =>
        e
          .selectFrom('conversation_members')
          .select('cleared_up_to')
          .where('conversation_members.conversation_id', '=', p.conversationId)
          .where('user_id', '=', p.userId),
      )
      .$if(before, (rows) => rows.where('id', '<', p.before))
      .orderBy('id', 'desc')
      .limit(p.limit),
  ),
)

export function listMessageRows(
  db: Handle,
  {
    before,
    ...span
  }: { conversationId: string; userId: string; before: string | undefined; limit: number },
): Promise<MessageRow[]> {
  const page = newest({ before: before !== undefined })
  return db.all(page, { ...span, before: before ?? '' })
}

export async function isListed(db: Handle, id: string, userId: string): Promise<boolean> {
  const member = await findRow(db, 'conversation_members', { conversation_id: id, user_id: userId })
  return member?.is_listed === 1
}

export type Participant = { id: string; userId: string }

const lockById = statement((q, p: Participant, dialect) =>
  rawQuery(
    q,
    sql`select id from conversations
      where id = ${p.id} and (user_low = ${p.userId} or user_high = ${p.userId}) ${dialect.lock}`,
  ),
)

/** Locks a conversation until the transaction ends. Does nothing unless the user is a participant. */
export async function lockConversationOf(tx: Tx, id: string, userId: string): Promise<void> {
  await tx.send(lockById, { id, userId })
}

type Pair = Pick<ConversationRow, 'user_low' | 'user_high'>

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

// Literals instead of parameters let both engines use partial indexes.
const unread = statement((q, p: { userId: string }) =>
  q.selectNoFrom((e) => [
    e
      .selectFrom('conversation_members')
      .select(sql<number>`cast(coalesce(sum(unread_count), 0) as bigint)`.as('n'))
      .where('user_id', '=', p.userId)
      .where('state', '=', sql.lit<ConversationState>('accepted'))
      .where('unread_count', '>', sql.lit(0))
      .$asScalar()
      .$notNull()
      .as('unread_count'),
    e
      .selectFrom('conversation_members')
      .select((rows) => rows.fn.countAll<number>().as('n'))
      .where('user_id', '=', p.userId)
      .where('state', '=', sql.lit<ConversationState>('request'))
      .where('is_listed', '=', TRUE)
      .$asScalar()
      .$notNull()
      .as('request_count'),
  ]),
)

/** Returns the number of unread messages in accepted conversations, and the number of listed message requests. */
export async function countUnread(db: Handle, userId: string) {
  const found = await db.first(unread, { userId })
  return { unread_count: found?.unread_count ?? 0, request_count: found?.request_count ?? 0 }
}

/**
 * Hides a message because of a decision, or shows it when `decisionId` is null. Returns false when the message
 * does not exist.
 */
export async function updateHiddenBy(
  tx: Tx,
  id: string,
  decisionId: string | null,
): Promise<boolean> {
  return (await updateRows(tx, 'messages', { id }, { hidden_by: decisionId })) > 0
}
