import { Type } from 'typebox'
import { exampleGame } from '../contents/example.ts'
import type { CoreDeps } from '../http/declaration.ts'
import { choice, textOrNull, timeOrNull } from '../http/fields.ts'
import type { Api } from '../http/route.ts'
import { getThumbnailJob, startThumbnailJob } from './rules.ts'

const ThumbnailJob = Type.Object({
  job: Type.Object(
    {
      id: textOrNull({ description: 'Null when no job has been started' }),
      status: choice(['none', 'queued', 'processing', 'completed', 'failed']),
      thumbnail_url: textOrNull({ description: 'The current thumbnail' }),
      error: textOrNull(),
      updated_at: timeOrNull(),
    },
    { title: 'ThumbnailJob' },
  ),
})

const params = { id: { id: 'cnt', missing: 'CONTENT_NOT_FOUND' } } as const
const job = {
  id: 'job_01kazqv3f6m9t0e4xk7w2dbn5c',
  status: 'completed',
  thumbnail_url: '/uploads/5f0c6e3b8d1a47e2.webp',
  error: null,
  updated_at: exampleGame.updated_at,
}

export function registerThumbnails(api: Api<CoreDeps>): void {
  api.get('/contents/:id/thumbnail-job', {
    id: 'getThumbnailJob',
    summary: 'Get the status of the thumbnail job of your game',
    tag: 'Games',
    auth: 'user',
    params,
    data: ThumbnailJob,
    errors: ['CONTENT_NOT_FOUND', 'NOT_CONTENT_AUTHOR'],
    example: { job },
    handler: async ({ db, viewer, params: { id }, language }) => ({
      job: await getThumbnailJob(db, viewer, id, language),
    }),
  })

  api.post('/contents/:id/thumbnail-job', {
    id: 'startThumbnailJob',
    summary: 'Make a new thumbnail for your game',
    description:
      'A screenshot of the running game if possible, otherwise a picture from its bundle or a drawing. A thumbnail that you chose stays.',
    tag: 'Games',
    auth: 'user',
    params,
    status: 202,
    data: ThumbnailJob,
    errors: ['CONTENT_NOT_FOUND', 'NOT_CONTENT_AUTHOR', 'CONTENT_ARCHIVED', 'CONTENT_NOT_READY'],
    example: { job: { ...job, status: 'queued' } },
    handler: async ({ db, viewer, params: { id }, language, now }) => ({
      job: await startThumbnailJob(db, viewer, id, { language, now }),
    }),
  })
}
