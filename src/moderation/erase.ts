/** Changes in moderation when a user or content item is erased. Reports and decisions stay. */
import type { Tx } from '../db/handle.ts'
import { statement } from '../db/statement.ts'

const forgetReporter = statement((q, p: { userId: string; limit: number }) =>
  q
    .updateTable('reports')
    .set({ reporter_id: null })
    .where('id', 'in', (e) =>
      e.selectFrom('reports').select('id').where('reporter_id', '=', p.userId).limit(p.limit),
    ),
)

/** Removes the reporter from up to `limit` reports. Returns their number. */
export function eraseReporter(tx: Tx, userId: string, limit: number): Promise<number> {
  return tx.run(forgetReporter, { userId, limit })
}

const dropSnapshots = statement((q, p: { userId: string; limit: number }) =>
  q
    .updateTable('cases')
    .set({ snapshot: null })
    .where('id', 'in', (e) =>
      e
        .selectFrom('cases')
        .select('id')
        .where('subject_user_id', '=', p.userId)
        .where('snapshot', 'is not', null)
        .limit(p.limit),
    ),
)

/** Deletes the snapshots of up to `limit` cases about a user. Returns their number. */
export function eraseSnapshots(tx: Tx, userId: string, limit: number): Promise<number> {
  return tx.run(dropSnapshots, { userId, limit })
}

const dropExcerpts = statement((q, p: { userId: string; limit: number }) =>
  q
    .updateTable('decisions')
    .set({ excerpt: '' })
    .where('id', 'in', (e) =>
      e
        .selectFrom('decisions')
        .select('id')
        .where('subject_user_id', '=', p.userId)
        .where('excerpt', '<>', '')
        .limit(p.limit),
    ),
)

/** Deletes the excerpts of up to `limit` decisions about a user. Returns their number. */
export function eraseExcerpts(tx: Tx, userId: string, limit: number): Promise<number> {
  return tx.run(dropExcerpts, { userId, limit })
}

const dropAppeals = statement((q, p: { userId: string; now: number; limit: number }) =>
  q
    .updateTable('appeals')
    .set((e) => ({
      body: '',
      status: e
        .case()
        .when('status', '=', 'open')
        .then('closed' as const)
        .else(e.ref('status'))
        .end(),
      answered_at: e.fn.coalesce('answered_at', e.cast<number>(e.val(p.now), 'bigint')),
    }))
    .where('id', 'in', (e) =>
      e
        .selectFrom('appeals')
        .select('id')
        .where('user_id', '=', p.userId)
        .where('body', '<>', '')
        .limit(p.limit),
    ),
)

/** Deletes the texts of up to `limit` appeals and closes them. Returns their number. */
export function eraseAppeals(
  tx: Tx,
  { userId, now }: { userId: string; now: number },
  limit: number,
): Promise<number> {
  return tx.run(dropAppeals, { userId, now, limit })
}

const closeAbout = statement((q, p: { subjectId: string; now: number }) =>
  q
    .updateTable('appeals')
    .set({ status: 'closed', answered_at: p.now })
    .where('status', '=', 'open')
    .where('decision_id', 'in', (e) =>
      e.selectFrom('decisions').select('id').where('subject_id', '=', p.subjectId),
    ),
)

/** Closes the open appeals about an erased subject. */
export async function closeAppealsAbout(tx: Tx, subjectId: string, now: number): Promise<void> {
  await tx.run(closeAbout, { subjectId, now })
}

const hiddenOf = statement((q, p: { userId: string; limit: number }) =>
  q
    .selectFrom('decisions')
    .innerJoin('hidden_subjects as hidden', 'hidden.decision_id', 'decisions.id')
    .select('hidden.subject_id')
    .where('decisions.subject_user_id', '=', p.userId)
    .where((e) =>
      e.or([e('hidden.subject_id', 'like', 'cmt%'), e('hidden.subject_id', 'like', 'pst%')]),
    )
    .limit(p.limit),
)

/** Returns the ids of up to `limit` comments and posts of a user that decisions hide. */
export async function listHiddenTexts(tx: Tx, userId: string, limit: number): Promise<string[]> {
  return (await tx.all(hiddenOf, { userId, limit })).map(({ subject_id }) => subject_id)
}

const forget = statement((q, p: { ids: string[] }, dialect) =>
  q.deleteFrom('hidden_subjects').where(dialect.anyOf('subject_id', p.ids)),
)

/** Deletes the records of the decisions that hide these erased subjects. */
export async function deleteHiders(tx: Tx, ids: string[]): Promise<void> {
  if (ids.length > 0) await tx.run(forget, { ids })
}
