import type { Viewer, World } from './world.ts'

export interface Row {
  name: string
  method: 'GET' | 'POST'
  route: string
  status: 200 | 201
  /**
   * Minimum ratio to the hand-written handlers on SQLite: of rates for writes, of CPU time for reads. Undefined for
   * rows that these handlers do not serve.
   */
  target?: number
  caller: 'nobody' | 'session' | 'key'
  query?: string
  body?: Record<string, unknown>
  /** Returns the values of `:id` in the route. */
  ids?(world: World, viewer: Viewer): string[]
}

export interface Call {
  path: string
  body?: Record<string, unknown>
}

/** Returns the requests of a viewer: one for each id, or a single one. */
export function callsOf(
  { route, query = '', body, ids }: Row,
  world: World,
  viewer: Viewer,
): Call[] {
  return (ids?.(world, viewer) ?? ['']).map((id) => ({
    path: route.replace(':id', id) + query,
    ...(body && { body }),
  }))
}

export function rowNamed(name: string): Row {
  const row = ROWS.find((each) => each.name === name)
  if (!row) throw new Error(`no row ${name}`)
  return row
}

const READ = { method: 'GET', status: 200, caller: 'session' } as const
const TOGGLE = { method: 'POST', status: 200, caller: 'session' } as const
const CREATE = { method: 'POST', status: 201, caller: 'session' } as const
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
const TEXT = { body: '색감이 정말 좋아요! The light in the second half is wonderful.' }

const ofContents = (_: World, { contents }: Viewer) => contents
const ofStrangers = (_: World, { strangers }: Viewer) => strangers
const ofConversation = (_: World, { conversation }: Viewer) => [conversation]

export const ROWS: readonly Row[] = [
  { ...READ, name: 'unread-count', route: `${API}/notifications/unread-count`, target: 1.2 },
  {
    ...READ,
    name: 'comment-list',
    target: 0.8,
    route: `${API}/contents/:id/comments`,
    query: '?per_page=20',
    caller: 'nobody',
    ids: ({ discussed }) => [discussed],
  },
  { ...READ, name: 'own-likes', route: `${API}/users/me/likes`, query: '?per_page=20' },
  { ...READ, name: 'home-feed', route: `${API}/feeds`, query: '?per_page=20' },
  { ...READ, name: 'following-feed', route: `${API}/feeds`, query: '?sort=following&per_page=20' },
  { ...READ, name: 'notification-list', route: `${API}/notifications`, query: '?per_page=20' },
  {
    ...READ,
    name: 'content-detail',
    route: `${API}/contents/:id`,
    // Requests the viewer's own contents, because reading another user's content counts a view.
    ids: (_, { made }) => made,
  },
  { ...READ, name: 'creator-profile', route: `${API}/creators/:id`, ids: ofStrangers },
  { ...READ, name: 'post-feed', route: `${API}/feed`, query: '?limit=20' },
  { ...READ, name: 'conversation-list', route: `${API}/dm/conversations`, query: '?limit=20' },
  {
    ...READ,
    name: 'message-list',
    route: `${API}/dm/conversations/:id/messages`,
    ids: ofConversation,
  },
  {
    ...READ,
    name: 'recommendations',
    route: `${API}/contents/:id/recommendations`,
    caller: 'nobody',
    ids: ofContents,
  },
  { ...READ, name: 'game-list', route: `${API}/jump/games`, query: '?per_page=20' },
  {
    ...TOGGLE,
    name: 'like-toggle',
    target: 1.3,
    route: `${API}/contents/:id/like`,
    ids: ofContents,
  },
  { ...TOGGLE, name: 'bookmark-toggle', route: `${API}/contents/:id/bookmark`, ids: ofContents },
  { ...TOGGLE, name: 'follow-toggle', route: `${API}/creators/:id/follow`, ids: ofStrangers },
  {
    ...CREATE,
    name: 'comment-create',
    target: 1.3,
    route: `${API}/contents/:id/comments`,
    body: TEXT,
    ids: ofContents,
  },
  {
    ...CREATE,
    name: 'message-send',
    target: 1.3,
    route: `${API}/dm/conversations/:id/messages`,
    body: TEXT,
    ids: ofConversation,
  },
  { ...CREATE, name: 'post-create', route: `${API}/posts`, body: TEXT },
  { ...CREATE, name: 'content-create', route: `${API}/contents`, caller: 'key', body: CONTENT },
]
