/**
 * Job `sweep`: hides everything that a user created between a chosen time and the decision. If the decision is undone,
 * the job shows these subjects again.
 */
import type { Clock } from '../clock.ts'
import type { Db, Tx } from '../db/handle.ts'
import type { DecisionRow } from '../db/moderation-tables.ts'
import { deleteJobOf } from '../jobs/rules.ts'
import type { Worker } from '../jobs/worker.ts'
import { type NewNotification, notify } from '../notifications/notify.ts'
import { lockDecision } from './decision-queries.ts'
import { hideSubject, lockSubject, unhideSubject } from './effects.ts'
import { lockOpenCase } from './report-queries.ts'
import { closeCase } from './reporters.ts'
import { addToAffected, listHiddenBy, listUnswept, updateStatus } from './sweep-queries.ts'

/** Maximum number of subjects that one transaction hides or shows. */
const STEP = 50

export interface SweepDeps {
  db: Db
  clock: Clock
  worker: Worker
}

/** Registers the handler of the job that applies and undoes sweeps. The job can be interrupted and repeated. */
export function handleSweeps({ db, clock, worker }: SweepDeps): void {
  worker.handle('sweep', async ({ subject: id }, { signal }) => {
    for (let isDone = false; !isDone; ) {
      signal.throwIfAborted()
      isDone = await db.transaction((tx) => step(tx, id, clock.now()))
    }
    return (tx) => deleteJobOf(tx, 'sweep', id)
  })
}

/**
 * Hides or shows up to STEP subjects of a decision, depending on its status. Returns true when no such subject is
 * left.
 */
async function step(tx: Tx, id: string, now: number): Promise<boolean> {
  const found = await lockDecision(tx, id)
  if (found?.status === 'applying') return hideSome(tx, found, now)
  if (found?.status === 'undoing') return showSome(tx, found, now)
  return true
}

async function hideSome(tx: Tx, decision: DecisionRow, now: number): Promise<boolean> {
  const ids = await listUnswept(tx, decision, STEP)
  if (ids.length === 0) {
    await updateStatus(tx, decision.id, 'in_effect')
    return true
  }
  const notifications: NewNotification[] = []
  let count = 0
  for (const id of ids) {
    const open = await lockOpenCase(tx, id)
    await lockSubject(tx, id)
    if (!(await hideSubject(tx, id, decision, now))) continue
    count++
    if (open) notifications.push(...(await closeCase(tx, open, decision.id, 'actioned', now)))
  }
  await addToAffected(tx, decision.id, count)
  await notify(tx, notifications, now)
  return false
}

async function showSome(tx: Tx, { id: decisionId }: DecisionRow, now: number): Promise<boolean> {
  const ids = await listHiddenBy(tx, decisionId, STEP)
  if (ids.length === 0) {
    await updateStatus(tx, decisionId, 'undone')
    return true
  }
  for (const id of ids) {
    await lockSubject(tx, id)
    await unhideSubject(tx, id, decisionId, now)
  }
  return false
}
