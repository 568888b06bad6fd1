/** Deletions of accounts that users have requested or that have begun. */
import { atMost } from '../db/conditions.ts'
import { type Static, Type } from 'typebox'
import { iso } from '../clock.ts'
import type { DeletionRow } from '../db/erasure-tables.ts'
import type { Handle, Tx } from '../db/handle.ts'
import { deleteRows, findRow, putRow, listColumn } from '../db/rows.ts'
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

export function findDeletion(db: Handle, userId: string): Promise<DeletionRow | undefined> {
  return findRow(db, 'deletions', { user_id: userId })
}

export async function putDeletion(tx: Tx, row: DeletionRow): Promise<void> {
  await putRow(tx, 'deletions', ['user_id'], row)
}

/** Removes the deletion request of a user. Returns false when there is no request. */
export async function deleteDeletion(tx: Tx, userId: string): Promise<boolean> {
  return (await deleteRows(tx, 'deletions', { user_id: userId })) > 0
}

export async function listDueDeletions(db: Handle, now: number, limit: number): Promise<string[]> {
  return listColumn(db, 'deletions', 'user_id', { due_at: atMost(now) }, { by: 'due_at', limit })
}
