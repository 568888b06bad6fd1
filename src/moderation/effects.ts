/** Applies decisions to their subjects, and takes the effects back. */
import { commentTree, findCreatorHider, lockContentOf } from '../comments/queries.ts'
import { hideContent, setDecidedRating, unhideContent } from '../contents/moderation.ts'
import { lockContent } from '../contents/rules.ts'
import type { HiddenState } from '../contents/schema.ts'
import type { Tx } from '../db/handle.ts'
import type { DecisionRow } from '../db/moderation-tables.ts'
import { updateHiddenBy } from '../dm/queries.ts'
import { enqueueAnew } from '../jobs/rules.ts'
import { lockThread, postTree } from '../posts/queries.ts'
import { hideAvatars } from '../users/avatars.ts'
import { avatarUrlOf, lockFilesOf, unblockFiles } from './file-queries.ts'
import { deleteHider, findHider, insertHider, lockMessageRow } from './subject-queries.ts'

type Hiding = Pick<DecisionRow, 'id' | 'reason' | 'rule_id' | 'rule_text'>

/**
 * Locks the row that a decision will change: the content item (also for its comments), the thread of a post, or
 * the message. `lockAsAdmin` locks users, and `lockFilesOf` files.
 */
export async function lockSubject(tx: Tx, id: string): Promise<void> {
  if (id.startsWith('cnt_')) await lockContent(tx, id)
  else if (id.startsWith('cmt_')) await lockContentOf(tx, id)
  else if (id.startsWith('pst_')) await lockThread(tx, id)
  else if (id.startsWith('msg_')) await lockMessageRow(tx, id)
}

/**
 * Hides a content item, comment, post or message. Several decisions can hide the same subject. Returns false
 * when the subject is missing or deleted. The caller holds its lock.
 */
export async function hideSubject(
  tx: Tx,
  id: string,
  decision: Hiding,
  now: number,
): Promise<boolean> {
  const hidden = await hideRow(tx, id, decision, now)
  if (hidden) await insertHider(tx, id, decision.id)
  return hidden
}

function hideRow(tx: Tx, id: string, decision: Hiding, now: number): Promise<boolean> {
  if (id.startsWith('cnt_')) return hideContent(tx, id, stateOf(decision), now)
  if (id.startsWith('cmt_')) return commentTree.hide(tx, id, decision.id)
  if (id.startsWith('pst_')) return postTree.hide(tx, id, decision.id)
  return updateHiddenBy(tx, id, decision.id)
}

/**
 * Ends the effect of a decision that hides a subject. The subject is shown unless another decision or the
 * creator of the content hides it. A deleted subject stays deleted. The caller holds the lock of the subject.
 */
export async function unhideSubject(
  tx: Tx,
  id: string,
  decisionId: string,
  now: number,
): Promise<void> {
  await deleteHider(tx, id, decisionId)
  const next = (await findHider(tx, id)) ?? null
  if (id.startsWith('cnt_')) await unhideContent(tx, id, next && stateOf(next), now)
  else if (id.startsWith('cmt_'))
    await commentTree.unhide(tx, id, next?.id ?? (await findCreatorHider(tx, id)))
  else if (id.startsWith('pst_')) await postTree.unhide(tx, id, next?.id ?? null)
  else await updateHiddenBy(tx, id, next?.id ?? null)
}

function stateOf({ id, reason, rule_id, rule_text }: Hiding): HiddenState {
  const rule = rule_id && rule_text ? { id: rule_id, text: JSON.parse(rule_text) } : null
  return { decision_id: id, reason, rule }
}

/** Blocks a file by all its known hashes, and hides avatars that show it. */
async function blockFile(tx: Tx, { id, subject_id: sha256 }: DecisionRow): Promise<void> {
  const { hashes, owners } = await lockFilesOf(tx, sha256)
  for (const hash of hashes) await insertHider(tx, hash, id)
  await hideAvatars(tx, owners, hashes.map(avatarUrlOf))
}

/** Queues the job that applies or undoes a sweep, depending on the status of the decision. */
async function queueSweep(tx: Tx, decisionId: string, now: number): Promise<void> {
  await enqueueAnew(tx, { kind: 'sweep', subject: decisionId, ownerId: '' }, now)
}

/**
 * Applies a decision to its subject, except `none`, `warn` and `suspend`. Returns false when the subject to
 * hide is missing or deleted. The caller holds the lock of the subject.
 */
export async function applyEffect(tx: Tx, decision: DecisionRow, now: number): Promise<boolean> {
  const { action, subject_id: id, rating } = decision
  if (action === 'hide') return hideSubject(tx, id, decision, now)
  if (action === 'rate') await setDecidedRating(tx, id, rating)
  if (action === 'block_file') await blockFile(tx, decision)
  if (action === 'sweep') await queueSweep(tx, decision.id, now)
  return true
}

/** Takes back the effect of a decision on its subject. The caller holds the lock of the subject. */
export async function undoEffect(tx: Tx, decision: DecisionRow, now: number): Promise<void> {
  const { action, subject_id: id } = decision
  if (action === 'hide') await unhideSubject(tx, id, decision.id, now)
  if (action === 'rate') await setDecidedRating(tx, id, null)
  if (action === 'block_file') {
    // Locks the files. Otherwise two simultaneous undos could each see the block that the other removes,
    // and the avatars would stay hidden.
    await lockFilesOf(tx, id)
    await unblockFiles(tx, decision.id)
  }
  if (action === 'sweep') await queueSweep(tx, decision.id, now)
}
