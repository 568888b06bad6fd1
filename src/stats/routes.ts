import type { CoreDeps } from '../http/declaration.ts'
import type { Api } from '../http/route.ts'
import { needsScope } from '../keys/rules.ts'
import { getContentStats, getStats } from './rules.ts'
import { ContentStats, CreatorStats, StatsQuery } from './schema.ts'

const numbers = { views: 40, plays: 0, likes: 3, comments: 1, follows: 1 }
const days = {
  from: '2026-11-21',
  to: '2026-11-21',
  totals: numbers,
  days: [{ date: '2026-11-21', ...numbers }],
  undated: { views: 12 },
}
const contentId = 'cnt_01kazqm3x8e5wtd2r6hvbn9q4f'

const shared = {
  auth: { mode: 'user-or-key', refuse: needsScope('contents:read') },
  query: StatsQuery,
} as const

export function registerStats(api: Api<CoreDeps>): void {
  api.get('/contents/:id/stats', {
    ...shared,
    id: 'getContentStats',
    tag: 'Contents',
    summary: 'Read the numbers of your content by day',
    description: 'With `Accept: text/csv` the response contains the days as CSV.',
    params: { id: { id: 'cnt', missing: 'CONTENT_NOT_FOUND' } },
    data: ContentStats,
    errors: ['INSUFFICIENT_SCOPE', 'CONTENT_NOT_FOUND', 'NOT_CONTENT_AUTHOR'],
    example: { stats: { content_id: contentId, ...days } },
    handler: async ({ db, viewer, params, query, now }) => ({
      stats: await getContentStats(db, viewer, params.id, query, now),
    }),
  })

  api.get('/stats', {
    ...shared,
    id: 'getMyStats',
    tag: 'Me',
    summary: 'Read the numbers of all your content by day',
    description:
      '`follows` counts all new followers. With `Accept: text/csv` the response contains the days as CSV.',
    data: CreatorStats,
    errors: ['INSUFFICIENT_SCOPE'],
    example: {
      stats: {
        ...days,
        top: [
          { content_id: contentId, title: '한강의 새벽, one take', thumbnail_url: null, views: 40 },
        ],
      },
    },
    handler: async ({ db, viewer, query, now }) => ({
      stats: await getStats(db, viewer, query, now),
    }),
  })
}
