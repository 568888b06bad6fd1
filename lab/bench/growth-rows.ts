/**
 * Requests of the growth benchmark: first and deep pages of every list, and other frequent requests. Route declarations
 * supply most lists.
 */
import { currentRoutes } from '../../src/current-routes.ts'
import { isStaff } from '../../src/http/auth.ts'
import { PREFIX } from '../../src/http/route.ts'
import { heavyContent, type Sizes, wordsOf } from './growth-words.ts'
import type { Part } from './growth-words.ts'

export interface GrowthRow {
  name: string
  as?: Part
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path(ids: Ids, n: number): string
  body?: Record<string, unknown>
  /** True for a path outside the API prefix. */
  isRoot?: true
  /** Reason why the response time may grow with the data. If set, the row has no target. */
  grows?: string
}

export interface Ids {
  sizes: Sizes
  id(prefix: string, number: number): string
  heavy: string
  game(n: number): string
}

export function idsOf(sizes: Sizes, games: readonly string[]): Ids {
  const { idOf } = wordsOf('sqlite')
  const game = (n: number) => games[n % games.length] as string
  return { sizes, id: idOf, heavy: idOf('cnt', heavyContent(sizes)), game }
}

/** Query for a deep page, at the same depth in the benchmark's small and large database. */
const DEEP = 'page=50&per_page=20'
/** Deep pages of the lists that are too short for `DEEP` in the small database, by operation id. */
const DEEP_OF: Record<string, string> = {
  listBlocks: 'page=5&per_page=20',
  listCases: 'status=decided&page=40&per_page=20',
  listTags: 'page=10&per_page=20',
}
// Values of `grows`.
const OWN = 'grows with the user’s own data'
const MIDDLE = 'grows with the depth: half of the list'

const lastPage = (total: number) => `page=${Math.ceil(total / 20)}&per_page=20`
const middle = (total: number) => `page=${Math.ceil(total / 40)}&per_page=20`
const middleOf = (n: number) => Math.floor(n / 2)

/** User who requests each list of the caller's own data, by operation id. */
const CALLERS: Record<string, Part> = {
  listNotifications: 'notified',
  listConversations: 'writer',
  listMyPosts: 'poster',
  listBlocks: 'blocker',
}

/**
 * Returns a request for the first page of every list that a route declares, and for a deep page of lists with page
 * numbers. Omits lists with an id in the path.
 */
function declared(): GrowthRow[] {
  const lists = currentRoutes().filter(({ path, indexes }) => indexes && !path.includes(':'))
  return lists.flatMap(({ id, path, auth, query }) => {
    const as = CALLERS[id] ?? (isStaff(auth) ? 'admin' : 'viewer')
    const row = (name: string, search: string): GrowthRow => ({
      name,
      as,
      path: () => path.slice(PREFIX.length) + search,
    })
    const hasPages = query && 'page' in query.properties
    return [row(id, ''), ...(hasPages ? [row(`${id}, deep`, `?${DEEP_OF[id] ?? DEEP}`)] : [])]
  })
}

function feeds(): GrowthRow[] {
  const feed = (name: string, query: string, over: Partial<GrowthRow> = {}): GrowthRow => ({
    name,
    as: 'viewer',
    path: () => `/feeds${query}`,
    ...over,
  })
  return [
    feed('feed, popular', '?sort=popular'),
    feed('feed, popular, deep', `?sort=popular&${DEEP}`),
    feed('feed of a category', '/hype'),
    feed('feed of a category, popular', '/swipe?sort=popular'),
    feed('feed, beyond the end', '?page=1000000000'),
    feed('feed, last page', '', {
      path: ({ sizes }) => `/feeds?${lastPage(sizes.contents * 0.97)}`,
    }),
    feed('feed, middle', '', {
      path: ({ sizes }) => `/feeds?${middle(sizes.contents)}`,
      grows: MIDDLE,
    }),
    ...(['common', 'tag7', 'rare7'] as const).flatMap((tag) => [
      feed(`tag ${tag}`, `?tag=${tag}`),
      feed(`tag ${tag} in a category`, `/hype?tag=${tag}`),
      feed(`tag ${tag}, popular`, `?tag=${tag}&sort=popular`),
      feed(`tag ${tag} in a category, popular`, `/hype?tag=${tag}&sort=popular`),
    ]),
    feed('tag common, deep', `?tag=common&${DEEP}`),
    feed('tag common, popular, deep', `?tag=common&sort=popular&${DEEP}`),
    feed('following 60', '?sort=following'),
    feed('following 60, deep', '?sort=following&page=3'),
    feed('following 60 in a category', '/hype?sort=following'),
    feed('following 60 with a tag', '?sort=following&tag=common'),
    feed('following 5000', '?sort=following', { as: 'follower' }),
    feed('following 5000 in a category', '/hype?sort=following', { as: 'follower' }),
    feed('followed tags, 3', '?sort=tags'),
    feed('followed tags, 3, deep', '?sort=tags&page=40'),
    feed('followed tags, 3, in a category', '/hype?sort=tags'),
    feed('followed tags, 250', '?sort=tags', { as: 'follower' }),
    feed('followed tags, 250, with a tag', '?sort=tags&tag=common', { as: 'follower' }),
    feed('following 50 or 5000', '?sort=following', { as: 'growingFollower', grows: OWN }),
  ]
}

function tagLists(): GrowthRow[] {
  const atom = (name: string, path: string) =>
    ({ name: `Atom feed of ${name}`, path: () => path, isRoot: true }) as const
  return [
    { name: 'tags by name', path: () => '/tags?sort=name' },
    { name: 'trending tags', path: () => '/tags?sort=trending' },
    { name: 'tags with a prefix, 1', path: () => '/tags?q=tag77' },
    { name: 'tags with a prefix, many', path: () => '/tags?q=rare', grows: 'counts the tags' },
    atom('the site', '/feed.atom'),
    atom('a tag', '/tags/common/feed.atom'),
    atom('a creator', '/creators/person_9/feed.atom'),
  ]
}

function userRows(): GrowthRow[] {
  const own = (name: string, list: string, over: Partial<GrowthRow> = {}): GrowthRow => ({
    name,
    as: 'viewer',
    path: () => `/users/me/${list}`,
    ...over,
  })
  const star = '/creators/person_1'
  return [
    own('own likes, 200 or 20000', 'likes', { as: 'liker', grows: OWN }),
    own('own contents, 200 or 20000', 'contents', { as: 'creator', grows: OWN }),
    { name: 'feed, 100 or 10000 blocks', as: 'blocker', path: () => '/feeds' },
    {
      name: 'comments, 100 or 10000 blocks',
      as: 'blocker',
      path: ({ heavy }) => `/contents/${heavy}/comments`,
    },
    { name: 'profile', as: 'viewer', path: () => star },
    { name: 'contents of a creator', as: 'viewer', path: () => '/creators/person_9/contents' },
    {
      name: 'popular contents of a creator',
      as: 'viewer',
      path: () => '/creators/person_9/contents?sort=popular',
    },
    {
      name: 'videos of a creator, of 200 or 20000 contents',
      path: () => '/creators/person_9/contents?type=video',
      grows: OWN,
    },
    { name: 'contents of a creator, page 10', path: () => '/creators/person_9/contents?page=10' },
    { name: 'followers of many', path: () => `${star}/followers` },
    { name: 'followers of many, deep', path: () => `${star}/followers?${DEEP}` },
    { name: 'following, many', path: () => '/creators/person_2/following' },
    { name: 'following, few', path: () => '/creators/person_4/following' },
  ]
}

function action(): GrowthRow[] {
  const comments = (query = '') => ({
    as: 'viewer' as const,
    path: ({ heavy }: Ids) => `/contents/${heavy}/comments${query}`,
  })
  return [
    { name: 'content', as: 'viewer', path: ({ heavy }) => `/contents/${heavy}` },
    { name: 'comments', ...comments() },
    { name: 'comments, oldest first', ...comments('?sort=oldest') },
    { name: 'comments, deep', ...comments(`?${DEEP}`) },
    {
      name: 'comments, last page',
      path: ({ heavy, sizes }) => `/contents/${heavy}/comments?${lastPage(sizes.heavyComments)}`,
    },
    {
      name: 'comments, middle',
      path: ({ heavy, sizes }) => `/contents/${heavy}/comments?${middle(sizes.heavyComments)}`,
      grows: MIDDLE,
    },
    { name: 'comments, top level', ...comments('?parent_id=none') },
    {
      name: 'replies to a comment',
      path: ({ heavy, id }) => `/contents/${heavy}/comments?parent_id=${id('cmt', 100)}`,
    },
    {
      name: 'recommendations',
      as: 'viewer',
      path: ({ heavy }) => `/contents/${heavy}/recommendations`,
    },
    {
      name: 'recommendations of many contents',
      as: 'viewer',
      path: ({ game }, n) => `/contents/${game(n)}/recommendations`,
    },
    {
      name: 'game with related games',
      as: 'viewer',
      path: ({ game }, n) => `/jump/games/${game(n)}?include=related,popular`,
    },
  ]
}

function talk(): GrowthRow[] {
  const { posts, dm } = { posts: '/posts', dm: '/dm/conversations' }
  return [
    { name: 'unread count', as: 'notified', path: () => '/notifications/unread-count' },
    {
      name: 'posts, deep',
      as: 'viewer',
      path: ({ id, sizes }) => `/feed?before=${id('pst', middleOf(sizes.posts))}`,
    },
    {
      name: 'posts, deep, backward',
      as: 'viewer',
      path: ({ id, sizes }) => `/feed?after=${id('pst', middleOf(sizes.posts))}`,
    },
    { name: 'thread with many replies', path: ({ id }) => `${posts}/${id('pst', 0)}/thread` },
    {
      name: 'thread with many replies, deep',
      path: ({ id, sizes }) =>
        `${posts}/${id('pst', 0)}/thread?before=${id('pst', sizes.posts + middleOf(sizes.replies))}`,
    },
    {
      name: 'conversations, deep',
      as: 'writer',
      path: ({ id, sizes }) => `${dm}?before=${id('cnv', middleOf(sizes.conversations))}`,
    },
    { name: 'messages', as: 'writer', path: ({ id }) => `${dm}/${id('cnv', 0)}/messages` },
    {
      name: 'messages, deep',
      as: 'writer',
      path: ({ id, sizes: { conversations, messages } }) =>
        `${dm}/${id('cnv', 0)}/messages?before=${id('msg', 3 * conversations + middleOf(messages))}`,
    },
  ]
}

function operators(): GrowthRow[] {
  const deliveries = ({ id }: Ids) => `/devconsole/webhooks/${id('whk', 0)}/deliveries`
  const users = (name: string, query: string, grows?: string): GrowthRow => ({
    name,
    as: 'admin',
    path: () => `/admin/users${query}`,
    ...(grows && { grows }),
  })
  const cases = (name: string, query: string, grows?: string): GrowthRow => ({
    name: `cases${name}`,
    as: 'admin',
    path: () => `/admin/cases${query}`,
    ...(grows && { grows }),
  })
  const walk = 'scans the texts of all users'
  return [
    users('user search, many matches', '?q=person_', walk),
    users('user search, one match', '?q=person_5999@', walk),
    users('user search, no match', '?q=nobody-at-all', walk),
    users('user search, two letters', '?q=zq', walk),
    { name: 'user', as: 'admin', path: ({ id }) => `/admin/users/${id('usr', 20)}` },
    cases(' of a kind', '?kind=content'),
    cases(' with a reason', '?reason=spam'),
    cases(' without an assignee', '?assignee=none'),
    cases(' with a reason, decided', '?reason=spam&status=decided'),
    cases(' without an assignee, decided', '?assignee=none&status=decided'),
    cases(' with a reason that none has', '?reason=minors&status=decided'),
    { name: 'counts of the staff', as: 'admin', path: () => '/admin/counts' },
    cases(', decided', '?status=decided'),
    { name: 'deliveries', as: 'admin', path: deliveries },
    { name: 'deliveries, deep', as: 'admin', path: (ids) => `${deliveries(ids)}?${DEEP}` },
  ]
}

function searches(): GrowthRow[] {
  const rare = ({ sizes }: Ids) => `rare${Math.ceil(sizes.contents / 50) - 1}`
  const search = (name: string, query: (ids: Ids) => string, grows?: string): GrowthRow => ({
    name: `search, ${name}`,
    as: 'viewer',
    path: (ids) => `/search?${query(ids)}`,
    ...(grows && { grows }),
  })
  const frequent = 'reads 1000 matches; at most 250 ms'
  return [
    search('50 matches', (ids) => `q=${rare(ids)}`),
    search('50 matches, two words', (ids) => `q=river+${rare(ids)}`),
    search('50 matches in a category', (ids) => `q=${rare(ids)}&category=hype`),
    search('no match', () => 'q=nothing-of-that-kind'),
    search('one creator', ({ sizes }) => `q=person_${sizes.users - 1}&kind=creators`),
    search('all contents', () => 'q=river', frequent),
    search('all contents, two words', () => 'q=river+night&sort=latest', frequent),
    search('all contents, Korean', () => `q=${encodeURIComponent('밤의')}`, frequent),
    search('a third of all contents', () => 'q=common', frequent),
    search('one percent of all contents', () => 'q=tag7&sort=popular', frequent),
    search('all contents, phrase', () => 'q=%22at+night+stays%22', frequent),
    search('a word inside words', () => 'q=%22aysw%22', 'reads the newest 20,000'),
    search('all creators', () => 'q=person&kind=creators', frequent),
    { name: 'suggestions', path: () => '/search/suggest?q=pers', grows: 'considers 2000 users' },
  ]
}

function writes(): GrowthRow[] {
  const write = { as: 'viewer', method: 'POST' } as const
  const body = { body: '색감이 정말 좋아요! The light in the second half is wonderful.' }
  return [
    { ...write, name: 'like', path: ({ game }, n) => `/contents/${game(n)}/like` },
    { ...write, name: 'like of the most liked', path: ({ heavy }) => `/contents/${heavy}/like` },
    { ...write, name: 'comment', path: ({ heavy }) => `/contents/${heavy}/comments`, body },
    { ...write, name: 'follow of the most followed', path: () => '/creators/person_1/follow' },
    { ...write, name: 'post', path: () => '/posts', body },
    {
      ...write,
      name: 'message',
      as: 'writer',
      path: ({ id }) => `/dm/conversations/${id('cnv', 0)}/messages`,
      body,
    },
  ]
}

export const GROWTH_ROWS: readonly GrowthRow[] = [
  ...declared(),
  ...feeds(),
  ...tagLists(),
  ...userRows(),
  ...action(),
  ...talk(),
  ...operators(),
  ...searches(),
  ...writes(),
]
