/**
 * Requests of the growth benchmark: first and deep pages of every list, and other frequent requests. Route declarations
 * supply most lists.
 */
import { currentRoutes } from '../../src/current-routes.ts'
import { isStaff } from '../../src/http/auth.ts'
import { PREFIX } from '../../src/http/route.ts'
import { heavyContent, type Part, type Sizes, wordsOf } from './growth-words.ts'

export interface GrowthRow {
  name: string
  as?: Part
  method?: 'POST'
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

type Path = string | GrowthRow['path']

const row = (name: string, as: Part | undefined, path: Path, grows?: string): GrowthRow => ({
  name,
  ...(as && { as }),
  path: typeof path === 'string' ? () => path : path,
  ...(grows && { grows }),
})

/**
 * Returns a request for the first page of every list that a route declares, and for a deep page of lists with page
 * numbers. Omits lists with an id in the path.
 */
function declared(): GrowthRow[] {
  const lists = currentRoutes().filter(({ path, indexes }) => indexes && !path.includes(':'))
  return lists.flatMap(({ id, path, auth, query }) => {
    const as = CALLERS[id] ?? (isStaff(auth) ? 'admin' : 'viewer')
    const short = path.slice(PREFIX.length)
    const hasPages = query && 'page' in query.properties
    const deep = row(`${id}, deep`, as, `${short}?${DEEP_OF[id] ?? DEEP}`)
    return [row(id, as, short), ...(hasPages ? [deep] : [])]
  })
}

function feeds(): GrowthRow[] {
  const feed = (name: string, query: string, as: Part = 'viewer', grows?: string) =>
    row(name, as, `/feeds${query}`, grows)
  return [
    feed('feed, popular', '?sort=popular'),
    feed('feed, popular, deep', `?sort=popular&${DEEP}`),
    feed('feed of a category', '/hype'),
    feed('feed of a category, popular', '/swipe?sort=popular'),
    feed('feed, beyond the end', '?page=1000000000'),
    row('feed, last page', 'viewer', ({ sizes }) => `/feeds?${lastPage(sizes.contents * 0.97)}`),
    row('feed, middle', 'viewer', ({ sizes }) => `/feeds?${middle(sizes.contents)}`, MIDDLE),
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
    feed('following 5000', '?sort=following', 'follower'),
    feed('following 5000 in a category', '/hype?sort=following', 'follower'),
    feed('followed tags, 3', '?sort=tags'),
    feed('followed tags, 3, deep', '?sort=tags&page=40'),
    feed('followed tags, 3, in a category', '/hype?sort=tags'),
    feed('followed tags, 250', '?sort=tags', 'follower'),
    feed('followed tags, 250, with a tag', '?sort=tags&tag=common', 'follower'),
    feed('following 50 or 5000', '?sort=following', 'growingFollower', OWN),
  ]
}

function tagLists(): GrowthRow[] {
  const atom = (name: string, path: string): GrowthRow => ({
    ...row(`Atom feed of ${name}`, undefined, path),
    isRoot: true,
  })
  return [
    row('tags by name', undefined, '/tags?sort=name'),
    row('trending tags', undefined, '/tags?sort=trending'),
    row('tags with a prefix, 1', undefined, '/tags?q=tag77'),
    row('tags with a prefix, many', undefined, '/tags?q=rare', 'counts the tags'),
    atom('the site', '/feed.atom'),
    atom('a tag', '/tags/common/feed.atom'),
    atom('a creator', '/creators/person_9/feed.atom'),
  ]
}

function userRows(): GrowthRow[] {
  const star = '/creators/person_1'
  const creator = '/creators/person_9/contents'
  const videos = 'videos of a creator, of 200 or 20000 contents'
  return [
    row('own likes, 200 or 20000', 'liker', '/users/me/likes', OWN),
    row('own contents, 200 or 20000', 'creator', '/users/me/contents', OWN),
    row('feed, 200 or 20000 likes', 'liker', '/feeds'),
    row('feed, 100 or 10000 blocks', 'blocker', '/feeds'),
    row('comments, 100 or 10000 blocks', 'blocker', commentsOf()),
    row('profile', 'viewer', star),
    row('contents of a creator', 'viewer', creator),
    row('popular contents of a creator', 'viewer', `${creator}?sort=popular`),
    row(videos, undefined, `${creator}?type=video`, OWN),
    row('contents of a creator, page 10', undefined, `${creator}?page=10`),
    row('followers of many', undefined, `${star}/followers`),
    row('followers of many, deep', undefined, `${star}/followers?${DEEP}`),
    row('following, many', undefined, '/creators/person_2/following'),
    row('following, few', undefined, '/creators/person_4/following'),
  ]
}

const commentsOf =
  (query: (sizes: Sizes) => string = () => '') =>
  ({ heavy, sizes }: Ids) =>
    `/contents/${heavy}/comments${query(sizes)}`

function action(): GrowthRow[] {
  const comments = (name: string, query: string) =>
    row(
      `comments${name}`,
      'viewer',
      commentsOf(() => query),
    )
  const replies = ({ heavy, id }: Ids) => `/contents/${heavy}/comments?parent_id=${id('cmt', 100)}`
  const last = commentsOf(({ heavyComments }) => `?${lastPage(heavyComments)}`)
  const halfway = commentsOf(({ heavyComments }) => `?${middle(heavyComments)}`)
  const recommendations = (id: string) => `/contents/${id}/recommendations`
  return [
    row('content', 'viewer', ({ heavy }) => `/contents/${heavy}`),
    comments('', ''),
    comments(', oldest first', '?sort=oldest'),
    comments(', deep', `?${DEEP}`),
    row('comments, last page', undefined, last),
    row('comments, middle', undefined, halfway, MIDDLE),
    comments(', top level', '?parent_id=none'),
    row('replies to a comment', undefined, replies),
    row('recommendations', 'viewer', ({ heavy }) => recommendations(heavy)),
    row('recommendations of many contents', 'viewer', ({ game }, n) => recommendations(game(n))),
    row('game with related games', 'viewer', ({ game }, n) => `/jump/games/${game(n)}?${RELATED}`),
  ]
}

const RELATED = 'include=related,popular'
const DM = '/dm/conversations'
const threadOf = ({ id }: Ids, query = '') => `/posts/${id('pst', 0)}/thread${query}`
const messagesOf = ({ id }: Ids, query = '') => `${DM}/${id('cnv', 0)}/messages${query}`

function talk(): GrowthRow[] {
  const post = ({ id, sizes }: Ids) => id('pst', middleOf(sizes.posts))
  const reply = ({ id, sizes }: Ids) => id('pst', sizes.posts + middleOf(sizes.replies))
  const conversation = ({ id, sizes }: Ids) => id('cnv', middleOf(sizes.conversations))
  const message = ({ id, sizes: { conversations, messages } }: Ids) =>
    id('msg', 3 * conversations + middleOf(messages))
  const deepThread = (ids: Ids) => threadOf(ids, `?before=${reply(ids)}`)
  return [
    row('unread count', 'notified', '/notifications/unread-count'),
    row('posts, deep', 'viewer', (ids) => `/feed?before=${post(ids)}`),
    row('posts, deep, backward', 'viewer', (ids) => `/feed?after=${post(ids)}`),
    row('thread with many replies', undefined, (ids) => threadOf(ids)),
    row('thread with many replies, deep', undefined, deepThread),
    row('conversations, deep', 'writer', (ids) => `${DM}?before=${conversation(ids)}`),
    row('messages', 'writer', (ids) => messagesOf(ids)),
    row('messages, deep', 'writer', (ids) => messagesOf(ids, `?before=${message(ids)}`)),
  ]
}

function operators(): GrowthRow[] {
  const deliveries = ({ id }: Ids) => `/devconsole/webhooks/${id('whk', 0)}/deliveries`
  const cases = (name: string, query: string) =>
    row(`cases${name}`, 'admin', `/admin/cases${query}`)
  const search = (name: string, text: string) =>
    row(`user search, ${name}`, 'admin', `/admin/users?q=${text}`, 'scans the texts of all users')
  return [
    search('many matches', 'person_'),
    search('one match', 'person_5999@'),
    search('no match', 'nobody-at-all'),
    search('two letters', 'zq'),
    row('user', 'admin', ({ id }) => `/admin/users/${id('usr', 20)}`),
    cases(' of a kind', '?kind=content'),
    cases(' with a reason', '?reason=spam'),
    cases(' without an assignee', '?assignee=none'),
    cases(' with a reason, decided', '?reason=spam&status=decided'),
    cases(' without an assignee, decided', '?assignee=none&status=decided'),
    cases(' with a reason that none has', '?reason=minors&status=decided'),
    row('counts of the staff', 'admin', '/admin/counts'),
    cases(', decided', '?status=decided'),
    row('deliveries', 'admin', deliveries),
    row('deliveries, deep', 'admin', (ids) => `${deliveries(ids)}?${DEEP}`),
  ]
}

function searches(): GrowthRow[] {
  const rare = ({ sizes }: Ids) => `rare${Math.ceil(sizes.contents / 50) - 1}`
  const search = (name: string, query: string | ((ids: Ids) => string), grows?: string) =>
    row(
      `search, ${name}`,
      'viewer',
      (ids) => `/search?${typeof query === 'string' ? query : query(ids)}`,
      grows,
    )
  const frequent = 'reads 1000 matches; at most 250 ms'
  return [
    search('50 matches', (ids) => `q=${rare(ids)}`),
    search('50 matches, two words', (ids) => `q=river+${rare(ids)}`),
    search('50 matches in a category', (ids) => `q=${rare(ids)}&category=hype`),
    search('no match', 'q=nothing-of-that-kind'),
    search('one creator', ({ sizes }) => `q=person_${sizes.users - 1}&kind=creators`),
    search('all contents', 'q=river', frequent),
    search('all contents, two words', 'q=river+night&sort=latest', frequent),
    search('all contents, Korean', `q=${encodeURIComponent('밤의')}`, frequent),
    search('a third of all contents', 'q=common', frequent),
    search('one percent of all contents', 'q=tag7&sort=popular', frequent),
    search('all contents, phrase', 'q=%22at+night+stays%22', frequent),
    search('a word inside words', 'q=%22aysw%22', 'reads the newest 20,000'),
    search('all creators', 'q=person&kind=creators', frequent),
    row('suggestions', undefined, '/search/suggest?q=pers', 'considers 2000 users'),
  ]
}

function writes(): GrowthRow[] {
  const body = { body: '색감이 정말 좋아요! The light in the second half is wonderful.' }
  const act = (name: string, path: Path): GrowthRow => ({
    ...row(name, 'viewer', path),
    method: 'POST',
  })
  return [
    act('like', ({ game }, n) => `/contents/${game(n)}/like`),
    act('like of the most liked', ({ heavy }) => `/contents/${heavy}/like`),
    { ...act('comment', commentsOf()), body },
    act('follow of the most followed', '/creators/person_1/follow'),
    { ...act('post', '/posts'), body },
    { ...act('message', (ids) => messagesOf(ids)), as: 'writer', body },
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
