import type { Viewer, World } from './world.ts'

export type RowName =
  | 'unread-count'
  | 'comment-list'
  | 'own-likes'
  | 'home-feed'
  | 'following-feed'
  | 'notification-list'
  | 'content-detail'
  | 'creator-profile'
  | 'post-feed'
  | 'conversation-list'
  | 'message-list'
  | 'recommendations'
  | 'game-list'
  | 'like-toggle'
  | 'bookmark-toggle'
  | 'follow-toggle'
  | 'comment-create'
  | 'message-send'
  | 'post-create'
  | 'content-create'

export interface Call {
  path: string
  body?: Record<string, unknown>
}

export interface Row {
  name: RowName
  method: 'GET' | 'POST'
  route: string
  status: 200 | 201
  /**
   * Minimum ratio to the hand-written handlers on SQLite: of rates for writes, of CPU time for reads. Undefined for
   * rows that these handlers do not serve.
   */
  target?: number
  caller: 'nobody' | 'session' | 'key'
  calls(world: World, viewer: Viewer): Call[]
}

const READ = { method: 'GET', status: 200, caller: 'session' } as const
const WRITE = { method: 'POST', caller: 'session' } as const
const API = '/api/v1'
const CONTENT = {
  category: 'hype',
  type: 'image',
  title: '강 위의 빛: light on the river',
  description: '새벽 다섯 시, 다리 아래에서. Five in the morning, below the bridge. '
    .repeat(3)
    .trim(),
  tags: ['한강', 'morning', 'light'],
}
const TEXT = '색감이 정말 좋아요! The light in the second half is wonderful.'

export const ROWS: readonly Row[] = [
  {
    ...READ,
    name: 'unread-count',
    route: `${API}/notifications/unread-count`,
    target: 1.2,
    calls: () => [{ path: `${API}/notifications/unread-count` }],
  },
  {
    ...READ,
    name: 'comment-list',
    target: 0.8,
    route: `${API}/contents/:id/comments`,
    caller: 'nobody',
    calls: ({ discussed }) => [{ path: `${API}/contents/${discussed}/comments?per_page=20` }],
  },
  {
    ...READ,
    name: 'own-likes',
    route: `${API}/users/me/likes`,
    calls: () => [{ path: `${API}/users/me/likes?per_page=20` }],
  },
  {
    ...READ,
    name: 'home-feed',
    route: `${API}/feeds`,
    calls: () => [{ path: `${API}/feeds?per_page=20` }],
  },
  {
    ...READ,
    name: 'following-feed',
    route: `${API}/feeds`,
    calls: () => [{ path: `${API}/feeds?sort=following&per_page=20` }],
  },
  {
    ...READ,
    name: 'notification-list',
    route: `${API}/notifications`,
    calls: () => [{ path: `${API}/notifications?per_page=20` }],
  },
  {
    ...READ,
    name: 'content-detail',
    route: `${API}/contents/:id`,
    // Requests the viewer's own contents, because reading another user's content counts a view.
    calls: (_, { made }) => made.map((id) => ({ path: `${API}/contents/${id}` })),
  },
  {
    ...READ,
    name: 'creator-profile',
    route: `${API}/creators/:id`,
    calls: (_, { strangers }) => strangers.map((handle) => ({ path: `${API}/creators/${handle}` })),
  },
  {
    ...READ,
    name: 'post-feed',
    route: `${API}/feed`,
    calls: () => [{ path: `${API}/feed?limit=20` }],
  },
  {
    ...READ,
    name: 'conversation-list',
    route: `${API}/dm/conversations`,
    calls: () => [{ path: `${API}/dm/conversations?limit=20` }],
  },
  {
    ...READ,
    name: 'message-list',
    route: `${API}/dm/conversations/:id/messages`,
    calls: (_, { conversation }) => [{ path: `${API}/dm/conversations/${conversation}/messages` }],
  },
  {
    ...READ,
    name: 'recommendations',
    route: `${API}/contents/:id/recommendations`,
    caller: 'nobody',
    calls: (_, { contents }) =>
      contents.map((id) => ({ path: `${API}/contents/${id}/recommendations` })),
  },
  {
    ...READ,
    name: 'game-list',
    route: `${API}/jump/games`,
    calls: () => [{ path: `${API}/jump/games?per_page=20` }],
  },
  {
    ...WRITE,
    name: 'like-toggle',
    target: 1.3,
    route: `${API}/contents/:id/like`,
    status: 200,
    calls: (_, { contents }) => contents.map((id) => ({ path: `${API}/contents/${id}/like` })),
  },
  {
    ...WRITE,
    name: 'bookmark-toggle',
    route: `${API}/contents/:id/bookmark`,
    status: 200,
    calls: (_, { contents }) => contents.map((id) => ({ path: `${API}/contents/${id}/bookmark` })),
  },
  {
    ...WRITE,
    name: 'follow-toggle',
    route: `${API}/creators/:id/follow`,
    status: 200,
    calls: (_, { strangers }) =>
      strangers.map((handle) => ({ path: `${API}/creators/${handle}/follow` })),
  },
  {
    ...WRITE,
    name: 'comment-create',
    target: 1.3,
    route: `${API}/contents/:id/comments`,
    status: 201,
    calls: (_, { contents }) =>
      contents.map((id) => ({ path: `${API}/contents/${id}/comments`, body: { body: TEXT } })),
  },
  {
    ...WRITE,
    name: 'message-send',
    target: 1.3,
    route: `${API}/dm/conversations/:id/messages`,
    status: 201,
    calls: (_, { conversation }) => [
      { path: `${API}/dm/conversations/${conversation}/messages`, body: { body: TEXT } },
    ],
  },
  {
    ...WRITE,
    name: 'post-create',
    route: `${API}/posts`,
    status: 201,
    calls: () => [{ path: `${API}/posts`, body: { body: TEXT } }],
  },
  {
    ...WRITE,
    name: 'content-create',
    route: `${API}/contents`,
    status: 201,
    caller: 'key',
    calls: () => [{ path: `${API}/contents`, body: CONTENT }],
  },
]
