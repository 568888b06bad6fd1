import { actOf } from '../audit/rules.ts'
import { exampleContent } from '../contents/example.ts'
import type { CoreDeps } from '../http/declaration.ts'
import type { Api } from '../http/route.ts'
import { deletePick, listPicks, updatePick } from './rules.ts'
import { OnePick, PickInput, Picks } from './schema.ts'

const tag = 'Site'
const params = { content_id: { id: 'cnt', missing: 'CONTENT_NOT_FOUND' } } as const
const pick = { content: exampleContent, note: '이번 주 추천', until: null }

export function registerPicks(api: Api<CoreDeps>): void {
  api.get('/picks', {
    id: 'listPicks',
    summary: 'List the content that the operator recommends',
    tag,
    auth: 'optional',
    indexes: ['picks'],
    data: Picks,
    example: { picks: [pick] },
    handler: async ({ db, viewer, now }) => ({ picks: await listPicks(db, viewer, now) }),
  })

  api.put('/admin/picks/:content_id', {
    id: 'updatePick',
    summary: 'Recommend public content',
    tag,
    auth: 'site',
    params,
    body: PickInput,
    data: OnePick,
    errors: ['CONTENT_NOT_FOUND', 'LIMIT_REACHED'],
    example: { pick },
    handler: async ({ db, viewer, params: { content_id }, body, now, requestId }) => ({
      pick: await updatePick(db, actOf(viewer, requestId), content_id, body, now),
    }),
  })

  api.delete('/admin/picks/:content_id', {
    id: 'deletePick',
    summary: 'End the recommendation of content',
    description: 'Returns 204 again when it is repeated.',
    tag,
    auth: 'site',
    params,
    errors: ['CONTENT_NOT_FOUND'],
    handler: ({ db, viewer, params: { content_id }, now, requestId }) =>
      deletePick(db, actOf(viewer, requestId), content_id, now),
  })
}
