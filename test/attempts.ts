import { pickParams, statement } from '../src/db/statement.ts'

export const insert = statement((q, p: { bucket: string; count: number; resets_at: number }) =>
  q.insertInto('attempts').values(pickParams(p, ['bucket', 'count', 'resets_at'])),
)
export const add = statement((q, p: { bucket: string; by: number }) =>
  q
    .updateTable('attempts')
    .set((e) => ({ count: e('count', '+', p.by) }))
    .where('bucket', '=', p.bucket),
)
export const find = statement((q, p: { bucket: string }) =>
  q.selectFrom('attempts').selectAll().where('bucket', '=', p.bucket),
)
export const put = (bucket: string) => ({ bucket, count: 0, resets_at: 1 })
