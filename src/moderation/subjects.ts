/** Finds the subjects of reports and decisions, and checks who may report or moderate them. */
import { findComment } from '../comments/queries.ts'
import { toComment } from '../comments/schema.ts'
import { findContentRecord, loadDetail } from '../contents/load.ts'
import { findCreator } from '../creators/queries.ts'
import { toCreator } from '../creators/schema.ts'
import type { Handle } from '../db/handle.ts'
import { isId, type Prefix } from '../db/ids.ts'
import type { SubjectKind } from '../db/moderation-tables.ts'
import { findConversationOf } from '../dm/queries.ts'
import { toMessage } from '../dm/schema.ts'
import { ApiError, type ErrorCode, invalid } from '../errors.ts'
import { may, type Viewer } from '../http/auth.ts'
import { findPost } from '../posts/queries.ts'
import { toPost } from '../posts/schema.ts'
import { findUser } from '../users/accounts.ts'
import { findMessageOf, findOwner, findSubjectRow, type SubjectRow } from './subject-queries.ts'

export interface SubjectKey {
  kind: SubjectKind
  id: string
}

const KINDS: Record<SubjectKind, { prefix: Prefix; missing: ErrorCode }> = {
  content: { prefix: 'cnt', missing: 'CONTENT_NOT_FOUND' },
  comment: { prefix: 'cmt', missing: 'COMMENT_NOT_FOUND' },
  post: { prefix: 'pst', missing: 'POST_NOT_FOUND' },
  message: { prefix: 'msg', missing: 'MESSAGE_NOT_FOUND' },
  user: { prefix: 'usr', missing: 'USER_NOT_FOUND' },
}

/**
 * Returns a subject that a moderator may act on, even while it is hidden or its user is suspended. Errors: the
 * 404 of the subject's kind, also for drafts and deleted subjects.
 */
export async function requireModeratable(
  db: Handle,
  { kind, id }: SubjectKey,
): Promise<SubjectRow> {
  const { prefix, missing } = KINDS[kind]
  const row = isId(prefix, id) ? await findSubjectRow(db, kind, id) : undefined
  if (!row) throw new ApiError(missing)
  return row
}

/**
 * Returns the id of a subject's user, even for a deleted subject. Errors: the 404 of the subject's kind for an
 * unknown id.
 */
export async function requireOwner(db: Handle, { kind, id }: SubjectKey): Promise<string> {
  const { prefix, missing } = KINDS[kind]
  const owner = isId(prefix, id) ? await findOwner(db, id) : undefined
  if (owner === undefined) throw new ApiError(missing)
  return owner
}

/**
 * Returns the owner's id and the API record of a subject that the viewer can see. Errors: 422 when the viewer
 * is the owner; the 404 of the subject's kind when the viewer cannot see it.
 */
export async function requireReportable(
  db: Handle,
  viewer: Viewer,
  subject: SubjectKey,
): Promise<{ userId: string; record: object }> {
  const { kind, id } = subject
  const { prefix, missing } = KINDS[kind]
  const owner = isId(prefix, id) ? await findOwner(db, id) : undefined
  if (owner === viewer.id) throw invalid('subject', 'invalid.own')
  const row = owner === undefined ? undefined : await findSubjectRow(db, kind, id, viewer.id)
  const isVisible = row && (row.is_shown === 1 || (kind === 'content' && may(viewer, 'moderate')))
  const record = isVisible ? await loadRecord(db, viewer, subject) : undefined
  if (!row || !record) throw new ApiError(missing)
  return { userId: row.user_id, record }
}

async function loadRecord(
  db: Handle,
  viewer: Viewer,
  { kind, id }: SubjectKey,
): Promise<object | undefined> {
  if (kind === 'content') {
    const row = await findContentRecord(db, id, null)
    return row && loadDetail(db, row, null)
  }
  if (kind === 'comment') {
    const row = await findComment(db, id, '')
    return row && toComment(row)
  }
  if (kind === 'post') {
    const row = await findPost(db, id, '')
    return row && toPost(row)
  }
  if (kind === 'message') {
    const row = await findMessageOf(db, id, viewer.id)
    const marks = row && (await findConversationOf(db, row.conversation_id, viewer.id))
    return row && marks && toMessage(row, marks)
  }
  const user = await findUser(db, id)
  const creator = user && (await findCreator(db, user.handle, null))
  return creator && toCreator(creator)
}

const EXCERPT_LENGTH = 200

/** Returns the first 200 characters of a text. */
export function excerptOf(text: string): string {
  return [...text].slice(0, EXCERPT_LENGTH).join('')
}
