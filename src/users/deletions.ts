/** Requested and running deletions of accounts. */
import { type Static, Type } from 'typebox'
import { iso } from '../clock.ts'
import type { DeletionRow } from '../db/erasure-tables.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { type AsParams, pickParams, statement } from '../db/statement.ts'
import { choice, time } from '../http/fields.ts'

export const ErasureChoiceName = choice(['erase', 'keep'])

export const Deletion = Type.Object(
  {
    status: choice(['scheduled', 'running']),
    contents: choice(['erase', 'keep'], { description: 'Published contents' }),
    texts: choice(['erase', 'keep'], { description: 'Comments and posts' }),
    requested_at: time(),
    due_at: time(),
  },
  { title: 'Deletion' },
)
export type DeletionRecord = Static<typeof Deletion>

export function toDeletion(row: DeletionRow): DeletionRecord {
  return {
    status: row.due_at === null ? 'running' : 'scheduled',
    contents: row.contents,
    texts: row.texts,
    requested_at: iso(row.requested_at),
    due_at: iso(row.due_at ?? row.requested_at),
  }
}

const byUser = statement((q, p: { userId: string }) =>
  q.selectFrom('deletions').selectAll().where('user_id', '=', p.userId),
)

export function findDeletion(db: Handle, userId: string): Promise<DeletionRow | undefined> {
  return db.first(byUser, { userId })
}

const upsert = statement((q, p: AsParams<DeletionRow>) =>
  q
    .insertInto('deletions')
    .values(pickParams(p, ['user_id', 'contents', 'texts', 'requested_at', 'due_at', 'language']))
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet(pickParams(p, ['contents', 'texts', 'requested_at', 'due_at', 'language'])),
    ),
)

export async function putDeletion(tx: Tx, row: DeletionRow): Promise<void> {
  await tx.run(upsert, { ...row })
}

const remove = statement((q, p: { userId: string }) =>
  q.deleteFrom('deletions').where('user_id', '=', p.userId),
)

/** Returns false when there is none. */
export async function deleteDeletion(tx: Tx, userId: string): Promise<boolean> {
  return (await tx.run(remove, { userId })) > 0
}

const due = statement((q, p: { now: number; limit: number }) =>
  q
    .selectFrom('deletions')
    .select('user_id')
    .where('due_at', 'is not', null)
    .where('due_at', '<=', p.now)
    .orderBy('due_at')
    .limit(p.limit),
)

/** Returns the ids of users whose deletion is due. */
export async function listDueDeletions(db: Handle, now: number, limit: number): Promise<string[]> {
  return (await db.all(due, { now, limit })).map(({ user_id }) => user_id)
}
