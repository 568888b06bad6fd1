import type { Viewer } from '../http/auth.ts'
import type { CoreDeps } from '../http/declaration.ts'
import type { Api } from '../http/route.ts'
import { getConversion } from './conversion.ts'
import { exampleDetail, exampleRendition } from './example.ts'
import { CreateContent, UpdateContent } from './input.ts'
import { restoreContent } from './restore.ts'
import {
  archiveContent,
  createContent,
  getContent,
  requireVisibleContent,
  updateContent,
} from './rules.ts'
import { type ContentDetailRecord, ContentResult, ConversionResult } from './schema.ts'

const id = { id: 'cnt', missing: 'CONTENT_NOT_FOUND' } as const

interface Caller {
  viewer: Viewer | null
  ip: string
  userAgent: string | null
  isHead: boolean
}

export interface ContentsDeps extends CoreDeps {
  /** True when some process of this deployment converts video and audio. */
  converts: boolean
  views: { note(content: ContentDetailRecord, caller: Caller): void }
}

export function registerContents(api: Api<ContentsDeps>): void {
  api.post('/contents', {
    id: 'createContent',
    summary: 'Create a content item, published unless `publish` is false',
    description:
      "If media must be converted first, the content is `processing` until the conversion has ended, and is then published. An app's API key needs the scope `contents:write`, for a game also `jump:write`. A test key always creates a draft.",
    tag: 'Contents',
    auth: 'user-or-key',
    body: CreateContent,
    data: ContentResult,
    status: 201,
    errors: ['INSUFFICIENT_SCOPE'],
    example: { content: exampleDetail },
    handler: ({ deps: { converts }, db, viewer, body, now }) =>
      createContent(db, viewer, body, { now, converts }),
  })

  api.get('/contents/:id', {
    id: 'getContent',
    summary: 'Read a content item that is open to you, or your own in any status',
    tag: 'Contents',
    auth: 'optional',
    params: { id },
    data: ContentResult,
    errors: ['CONTENT_NOT_FOUND'],
    example: { content: exampleDetail },
    handler: async ({ deps, db, viewer, params, ip, userAgent, isHead, language }) => {
      const { content, isOpen } = await getContent(db, params.id, viewer, language)
      if (isOpen) deps.views.note(content, { viewer, ip, userAgent, isHead })
      return { content }
    },
  })

  api.patch('/contents/:id', {
    id: 'updateContent',
    summary: 'Change your content, or publish a draft',
    tag: 'Contents',
    auth: 'user',
    // `updateContent` checks the id itself, because an invalid thumbnail must be reported first.
    params: { id: { ...id, byRule: true } },
    body: UpdateContent,
    data: ContentResult,
    errors: [
      'CONTENT_NOT_FOUND',
      'NOT_CONTENT_AUTHOR',
      'CONTENT_ARCHIVED',
      'CONTENT_NOT_READY',
      'CONTENT_PUBLISHED',
      'RATING_LOCKED',
    ],
    example: { content: exampleDetail },
    handler: ({ deps: { converts }, db, viewer, params, body, now, language }) =>
      updateContent(db, viewer, params.id, body, { now, converts, language }),
  })

  api.delete('/contents/:id', {
    id: 'archiveContent',
    summary: 'Archive your content. It stays only in your own lists',
    tag: 'Contents',
    auth: 'user',
    params: { id },
    errors: ['CONTENT_NOT_FOUND', 'NOT_CONTENT_AUTHOR'],
    handler: ({ db, viewer, params, now }) => archiveContent(db, viewer, params.id, now),
  })

  api.post('/contents/:id/restore', {
    id: 'restoreContent',
    summary: 'Make your archived content a draft again',
    description: 'Likes, bookmarks and comments return with it. Publish it with `PATCH`.',
    tag: 'Contents',
    auth: 'user',
    params: { id },
    data: ContentResult,
    errors: ['CONTENT_NOT_FOUND', 'NOT_CONTENT_AUTHOR', 'CONTENT_NOT_ARCHIVED'],
    example: { content: { ...exampleDetail, status: 'draft', published_at: null } },
    handler: ({ db, viewer, params, now, language }) =>
      restoreContent(db, viewer, params.id, { now, language }),
  })

  api.get('/contents/:id/conversion', {
    id: 'getConversion',
    summary: 'Read the conversion progress of a content item',
    description:
      'Covers all media of the content. The status is `not_required` when nothing needs a conversion or the server has no ffmpeg.',
    tag: 'Contents',
    auth: 'optional',
    params: { id },
    data: ConversionResult,
    errors: ['CONTENT_NOT_FOUND'],
    example: {
      conversion: {
        status: 'completed',
        progress: 1,
        renditions: [exampleRendition],
        error: null,
        updated_at: '2026-11-21T08:41:07.204Z',
      },
    },
    handler: async ({ deps, db, viewer, params, language }) => {
      const content = await requireVisibleContent(db, params.id, viewer)
      const { converts } = deps
      return { conversion: await getConversion(db, content, { converts, language }) }
    },
  })
}
