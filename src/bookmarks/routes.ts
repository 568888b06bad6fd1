import { Type } from 'typebox'
import type { CoreDeps } from '../http/declaration.ts'
import type { Api } from '../http/route.ts'
import { bookmarkContent } from './rules.ts'

const BookmarkResult = Type.Object(
  { is_bookmarked: Type.Boolean(), bookmark_count: Type.Integer() },
  { title: 'BookmarkResult' },
)

const bookmark = {
  tag: 'Contents',
  auth: 'user',
  params: { id: { id: 'cnt', missing: 'CONTENT_NOT_FOUND' } },
  errors: ['CONTENT_NOT_FOUND'],
  data: BookmarkResult,
} as const

export function registerBookmarks(api: Api<CoreDeps>): void {
  api.post('/contents/:id/bookmark', {
    ...bookmark,
    id: 'toggleBookmark',
    summary: 'Bookmark a content item, or remove the bookmark',
    example: { is_bookmarked: true, bookmark_count: 4 },
    handler: ({ db, viewer, params, now }) => bookmarkContent(db, viewer, params.id, 'toggle', now),
  })

  api.put('/contents/:id/bookmark', {
    ...bookmark,
    id: 'bookmarkContent',
    summary: 'Bookmark a content item; does nothing when already bookmarked',
    example: { is_bookmarked: true, bookmark_count: 4 },
    handler: ({ db, viewer, params, now }) => bookmarkContent(db, viewer, params.id, 'set', now),
  })

  api.delete('/contents/:id/bookmark', {
    ...bookmark,
    id: 'unbookmarkContent',
    summary: 'Remove the bookmark of a content item, if any',
    example: { is_bookmarked: false, bookmark_count: 3 },
    handler: ({ db, viewer, params, now }) => bookmarkContent(db, viewer, params.id, 'unset', now),
  })
}
