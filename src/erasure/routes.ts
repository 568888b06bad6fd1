import type { Api } from '../http/route.ts'
import type { CoreDeps } from '../http/declaration.ts'
import { eraseContent } from './rules.ts'
import { ErasureResult } from './schema.ts'

const id = { id: 'cnt', missing: 'CONTENT_NOT_FOUND' } as const

export function registerErasure(api: Api<CoreDeps>): void {
  api.post('/contents/:id/erasure', {
    id: 'eraseContent',
    summary: 'Erase your archived content for good',
    description:
      'From then on the content is 404 for everyone. A job deletes its comments, likes, bookmarks, plays and other rows, and the uploads that nothing else uses.',
    tag: 'Contents',
    auth: 'user',
    params: { id },
    data: ErasureResult,
    status: 202,
    errors: ['CONTENT_NOT_FOUND', 'NOT_CONTENT_AUTHOR', 'CONTENT_NOT_ARCHIVED'],
    example: { erasure: { content_id: 'cnt_01kazr0fsdf8fsmrxm42z2kb6p', status: 'queued' } },
    handler: ({ db, viewer, params, now }) => eraseContent(db, viewer, params.id, now),
  })
}
