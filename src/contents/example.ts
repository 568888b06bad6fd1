import type { Static } from 'typebox'
import { examplePagination } from '../http/page.ts'
import { exampleUser } from '../users/example.ts'
import type { ContentDetailRecord, ContentRecord, Feed } from './schema.ts'

export const exampleContent: ContentRecord = {
  id: 'cnt_01kazqm3x8e5wtd2r6hvbn9q4f',
  category: 'hype',
  type: 'video',
  title: '한강의 새벽, one take',
  description: 'Shot from the Mapo bridge between five and six.',
  tags: ['seoul', 'timelapse'],
  status: 'published',
  visibility: 'public',
  publish_at: null,
  rating: 'everyone',
  rating_locked: false,
  warnings: [],
  warning_text: null,
  embedding: 'everywhere',
  moderation: null,
  comment_policy: 'everyone',
  pinned_comment_id: null,
  creator: exampleUser,
  media: [],
  thumbnail_url: null,
  thumbnail_sizes: [],
  game: null,
  like_count: 12,
  bookmark_count: 3,
  comment_count: 4,
  view_count: 230,
  play_count: 0,
  is_liked: false,
  is_bookmarked: false,
  published_at: '2026-11-21T09:00:00.000Z',
  created_at: '2026-11-21T08:41:07.204Z',
  updated_at: '2026-11-21T09:00:00.000Z',
}

export const exampleDetail: ContentDetailRecord = { ...exampleContent, body: null }

export const exampleGame: ContentRecord = {
  ...exampleContent,
  id: 'cnt_01kazqp7m2gk4c9y8sjxdw0v6a',
  category: 'jump',
  type: 'game',
  title: 'Paper Hopper',
  description: null,
  tags: ['arcade'],
  game: {
    runtime: 'html5',
    entry: 'index.html',
    orientation: 'landscape',
    controls: 'Space to jump',
  },
  play_count: 57,
}

export const exampleRendition = {
  url: '/uploads/9f2c41d0b7e85a6634e1c0aa2d7f5b8812c4e9d3607fa1b58e4d2c7093b6af15/1f0c9b7e5a2d4863/720p.mp4',
  mime_type: 'video/mp4',
  width: 1280,
  height: 720,
}

export const exampleFeed: Static<typeof Feed> = {
  feeds: [exampleContent],
  pagination: examplePagination,
}
