import { exampleComment } from '../comments/example.ts'
import { exampleContent, exampleGame } from '../contents/example.ts'
import { exampleUser, otherUser } from '../users/example.ts'
import type { Payload } from '../webhooks/events.ts'
import type { EventKind } from '../webhooks/kinds.ts'

const time = '2026-11-21T09:12:40.518Z'

const content = exampleContent
const comment = {
  ...exampleComment,
  id: 'cmt_01kazr2v9xg6m0d4f8shye3tqb',
  content_id: content.id,
  author: otherUser,
  like_count: 0,
  created_at: time,
  updated_at: time,
}
const creator = {
  ...exampleUser,
  bio: null,
  is_following: false,
  is_blocked: false,
  is_muted: false,
  follower_count: 41,
  following_count: 12,
  content_count: 7,
  created_at: '2026-10-02T11:30:00.000Z',
}
const play = {
  id: 'ply_01kazr4b7ne2w5k9c1vdx8gm3t',
  game_id: exampleGame.id,
  runtime: 'html5',
  launch_url: 'https://games.example.com/play/…',
  expires_at: '2026-11-21T09:22:40.518Z',
}

const DATA: Record<EventKind, object> = {
  'content.published': { content },
  'content.updated': { content },
  'content.archived': { content: { ...content, status: 'archived' } },
  'content.erased': { content_id: content.id },
  'content.hidden': {
    content,
    decision: { id: 'dec_01kazr7w2rk9c5m3x8tq1vhd4e', reason: 'Advertising' },
  },
  'content.restored': { content },
  'content.liked': { content, actor: otherUser },
  'comment.created': { comment },
  'creator.followed': { creator, actor: otherUser },
  'jump.play': { play, game: exampleGame },
}

export function sampleOf(kind: EventKind): Payload {
  return {
    id: 'evt_01kazr3c5hd8t1q7n4w0jzk2xm',
    type: kind,
    created_at: time,
    api_version: 'v1',
    data: DATA[kind],
  }
}
