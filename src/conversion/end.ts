import { writeAuditEntry } from '../audit/rules.ts'
import { publishConverted } from '../contents/conversion.ts'
import type { Db, Tx } from '../db/handle.ts'
import type { JobRow } from '../db/media-tables.ts'
import { findJobById, updateEnded } from '../jobs/queries.ts'
import { listUserAndAdminsLocked, type ManagedUserRow, toAuditFields } from '../users/managed.ts'

/**
 * Marks a job as failed on behalf of the operator. Returns the job as it was before, or undefined if the job is neither
 * running nor queued or is of kind `settling`. The worker kills the job's programs within seconds. Content items that
 * wait for a conversion become drafts.
 */
export function endJob(db: Db, id: string, now: number): Promise<JobRow | undefined> {
  return db.transaction(async (tx) => {
    const job = await findJobById(tx, id)
    if (!job || job.kind === 'settling') return undefined
    if (!(await updateEnded(tx, { id, error: 'ended', now }))) return undefined
    // Locks the user, so that the ids of the user's audit entries are in the order of the changes. Jobs come before
    // users in the lock order, and the update has locked the job.
    const owner = await lockOwner(tx, job.owner_id)
    if (job.kind === 'conversion') await publishConverted(tx, job.subject, now)
    if (owner) await record(tx, owner, job, now)
    return job
  })
}

async function lockOwner(tx: Tx, id: string): Promise<ManagedUserRow | undefined> {
  const users = await listUserAndAdminsLocked(tx, { id, viewerId: id })
  return users.find((row) => row.id === id)
}

async function record(tx: Tx, owner: ManagedUserRow, job: JobRow, now: number): Promise<void> {
  const act = { actorId: null, requestId: null, reason: `${job.kind} ${job.id}` }
  const fields = toAuditFields(owner)
  const target = { kind: 'user', id: owner.id }
  await writeAuditEntry(
    tx,
    act,
    { action: 'job_ended', target, before: fields, after: fields },
    now,
  )
}
