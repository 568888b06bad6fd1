/**
 * Routes of all pages except the pages for staff and developers. The server reads the paths of all pages from
 * paths.json.
 */
import { createRoute, createRouter } from '@tanstack/react-router'
import { history, isOverlayMove, pageOf } from './device/history.ts'
import {
  below,
  choice,
  lazyPage,
  requireSession,
  requireSessionAtFirst,
  root,
  text,
} from './routing.tsx'
import { Failed, NotFound, Pending } from './shell/Failed.tsx'
import * as consoles from './consoleRoutes.ts'
import { loadContent, loadCreator, loadHome } from './query.ts'

interface SearchSearch {
  q?: string | undefined
  kind?: 'creators' | 'posts' | 'tags' | undefined
  type?: 'video' | 'image' | 'audio' | 'article' | 'game' | undefined
  sort?: 'latest' | 'popular' | undefined
}

interface LibrarySearch {
  list?: 'stats' | 'likes' | 'bookmarks' | 'posts' | undefined
  /** Id of the content item whose statistics are shown. Undefined for the statistics of all contents. */
  content?: string | undefined
  days?: 7 | 90 | 365 | 28 | undefined
  status?: 'draft' | 'processing' | 'published' | 'archived' | undefined
  /** Search text for the viewer's contents. Not named `q`, because the search field in the top bar shows `q`. */
  find?: string | undefined
}

interface CreatorSearch {
  tab?: 'video' | 'image' | 'audio' | 'article' | 'game' | 'posts' | undefined
  sort?: 'popular' | undefined
}

const feedSearch = (search: Record<string, unknown>): { sort?: 'popular' | 'following' } => ({
  sort: choice(search['sort'], ['latest', 'popular', 'following']),
})

const home = createRoute({
  getParentRoute: below,
  path: '/',
  validateSearch: (search): { sort?: 'popular' | 'following' | 'tags' } => ({
    sort: choice(search['sort'], ['latest', 'popular', 'following', 'tags']),
  }),
  loader: loadHome,
  component: lazyPage(() => import('./home/Home.tsx'), 'Home'),
})
const hype = createRoute({
  getParentRoute: below,
  path: '/hype',
  validateSearch: feedSearch,
  component: lazyPage(() => import('./hype/Hype.tsx'), 'Hype'),
})
const swipe = createRoute({
  getParentRoute: below,
  path: '/swipe',
  validateSearch: feedSearch,
  component: lazyPage(() => import('./swipe/Swipe.tsx'), 'Swipe'),
})
const jump = createRoute({
  getParentRoute: below,
  path: '/jump',
  component: lazyPage(() => import('./jump/Jump.tsx'), 'Jump'),
})
const content = createRoute({
  getParentRoute: below,
  path: '/contents/$id',
  loader: ({ params }) => loadContent(params.id),
  component: lazyPage(() => import('./content/Content.tsx'), 'Content'),
})
const creator = createRoute({
  getParentRoute: below,
  path: '/creators/$handle',
  validateSearch: (search): CreatorSearch => ({
    tab: choice(search['tab'], ['all', 'video', 'image', 'audio', 'article', 'game', 'posts']),
    sort: choice(search['sort'], ['latest', 'popular']),
  }),
  loader: ({ params }) => loadCreator(params.handle),
  component: lazyPage(() => import('./profile/Profile.tsx'), 'Profile'),
})
const followers = createRoute({
  getParentRoute: below,
  path: '/creators/$handle/followers',
  component: lazyPage(() => import('./creators/FollowList.tsx'), 'Followers'),
})
const following = createRoute({
  getParentRoute: below,
  path: '/creators/$handle/following',
  component: lazyPage(() => import('./creators/FollowList.tsx'), 'Following'),
})
const tag = createRoute({
  getParentRoute: below,
  path: '/tags/$tag',
  validateSearch: (search): { sort?: 'popular' } => ({
    sort: choice(search['sort'], ['latest', 'popular']),
  }),
  component: lazyPage(() => import('./tags/Tag.tsx'), 'Tag'),
})
const searchRoute = createRoute({
  getParentRoute: below,
  path: '/search',
  validateSearch: (found): SearchSearch => ({
    q: text(found['q']),
    kind: choice(found['kind'], ['contents', 'creators', 'posts', 'tags']),
    type: choice(found['type'], ['', 'video', 'image', 'audio', 'article', 'game']),
    sort: choice(found['sort'], ['relevance', 'latest', 'popular']),
  }),
  component: lazyPage(() => import('./search/Search.tsx'), 'Search'),
})
const community = createRoute({
  getParentRoute: below,
  path: '/community',
  component: lazyPage(() => import('./community/Community.tsx'), 'Community'),
})
const post = createRoute({
  getParentRoute: below,
  path: '/posts/$id',
  component: lazyPage(() => import('./community/Thread.tsx'), 'Thread'),
})
const notifications = createRoute({
  getParentRoute: below,
  path: '/notifications',
  beforeLoad: requireSession,
  component: lazyPage(() => import('./notifications/Notifications.tsx'), 'Notifications'),
})
const messages = createRoute({
  getParentRoute: below,
  path: '/messages',
  validateSearch: (search): { state?: 'request' } => ({
    state: choice(search['state'], ['accepted', 'request']),
  }),
  beforeLoad: requireSession,
  component: lazyPage(() => import('./messages/Messages.tsx'), 'Messages'),
})
const conversation = createRoute({
  getParentRoute: below,
  path: '/messages/$id',
  validateSearch: (search): { state?: 'request' } => ({
    state: choice(search['state'], ['accepted', 'request']),
  }),
  beforeLoad: requireSession,
  component: lazyPage(() => import('./messages/Messages.tsx'), 'Messages'),
})
const library = createRoute({
  getParentRoute: below,
  path: '/library',
  validateSearch: (search): LibrarySearch => ({
    list: choice(search['list'], ['contents', 'stats', 'likes', 'bookmarks', 'posts']),
    content: text(search['content']),
    days: ([7, 90, 365] as const).find((days) => days === search['days']),
    status: choice(search['status'], ['all', 'draft', 'processing', 'published', 'archived']),
    find: text(search['find']),
  }),
  beforeLoad: requireSession,
  component: lazyPage(() => import('./library/Library.tsx'), 'Library'),
})
const publish = createRoute({
  getParentRoute: below,
  path: '/publish',
  validateSearch: (search): { as?: 'article' } => ({
    as: choice(search['as'], ['files', 'article']),
  }),
  beforeLoad: requireSessionAtFirst,
  component: lazyPage(() => import('./publish/Publish.tsx'), 'Publish'),
})
const publishDraft = createRoute({
  getParentRoute: below,
  path: '/publish/$id',
  beforeLoad: requireSessionAtFirst,
  component: lazyPage(() => import('./publish/Edit.tsx'), 'Edit'),
})
const account = createRoute({
  getParentRoute: below,
  path: '/account',
  validateSearch: (
    search,
  ): { part?: 'password' | 'security' | 'sessions' | 'people' | 'filter' | 'look' | 'data' } => ({
    part: choice(search['part'], [
      'profile',
      'password',
      'security',
      'sessions',
      'people',
      'filter',
      'look',
      'data',
    ]),
  }),
  beforeLoad: requireSession,
  component: lazyPage(() => import('./account/Account.tsx'), 'Account'),
})
const about = createRoute({
  getParentRoute: below,
  path: '/about',
  component: lazyPage(() => import('./site/AboutPages.tsx'), 'About'),
})
const rules = createRoute({
  getParentRoute: below,
  path: '/rules',
  component: lazyPage(() => import('./site/AboutPages.tsx'), 'Rules'),
})
const sitePage = createRoute({
  getParentRoute: below,
  path: '/pages/$slug',
  component: lazyPage(() => import('./site/SitePage.tsx'), 'SitePage'),
})
const signIn = createRoute({
  getParentRoute: below,
  path: '/sign-in',
  validateSearch: (search): { then?: string } => ({ then: text(search['then']) }),
  component: lazyPage(() => import('./join/SignIn.tsx'), 'SignIn'),
})
const signUp = createRoute({
  getParentRoute: below,
  path: '/sign-up',
  validateSearch: (search): { then?: string; invite?: string } => ({
    then: text(search['then']),
    invite: text(search['invite']),
  }),
  component: lazyPage(() => import('./join/SignUp.tsx'), 'SignUp'),
})
const setup = createRoute({
  getParentRoute: below,
  path: '/setup',
  component: lazyPage(() => import('./join/Setup.tsx'), 'Setup'),
})
const forgotPassword = createRoute({
  getParentRoute: below,
  path: '/forgot-password',
  component: lazyPage(() => import('./join/Mailed.tsx'), 'ForgotPassword'),
})
const resetPassword = createRoute({
  getParentRoute: below,
  path: '/reset-password',
  component: lazyPage(() => import('./join/Mailed.tsx'), 'ResetPassword'),
})
const verifyEmail = createRoute({
  getParentRoute: below,
  path: '/verify-email',
  component: lazyPage(() => import('./join/Mailed.tsx'), 'VerifyEmail'),
})
const undoEmail = createRoute({
  getParentRoute: below,
  path: '/undo-email',
  component: lazyPage(() => import('./join/Mailed.tsx'), 'UndoEmail'),
})
const appeal = createRoute({
  getParentRoute: below,
  path: '/appeal',
  component: lazyPage(() => import('./join/Appeal.tsx'), 'Appeal'),
})
const decisions = createRoute({
  getParentRoute: below,
  path: '/decisions',
  validateSearch: (search): { list?: 'reports' } => ({
    list: choice(search['list'], ['decisions', 'reports']),
  }),
  beforeLoad: requireSession,
  component: lazyPage(() => import('./moderation/OwnDecisions.tsx'), 'OwnDecisions'),
})
const decision = createRoute({
  getParentRoute: below,
  path: '/decisions/$id',
  beforeLoad: requireSession,
  component: lazyPage(() => import('./moderation/OwnDecisions.tsx'), 'OwnDecision'),
})
const invites = createRoute({
  getParentRoute: below,
  path: '/invites',
  beforeLoad: requireSession,
  component: lazyPage(() => import('./admin/Invites.tsx'), 'OwnInvites'),
})
const tree = root.addChildren([
  home,
  hype,
  swipe,
  jump,
  content,
  creator,
  followers,
  following,
  tag,
  searchRoute,
  community,
  post,
  notifications,
  messages,
  conversation,
  library,
  publish,
  publishDraft,
  account,
  about,
  rules,
  sitePage,
  signIn,
  signUp,
  setup,
  forgotPassword,
  resetPassword,
  verifyEmail,
  undoEmail,
  appeal,
  decisions,
  decision,
  invites,
  ...Object.values(consoles),
])

const PENDING_MS = 400

export const router = createRouter({
  routeTree: tree,
  history,
  // Removes unknown query parameters, such as those for tracking.
  search: { strict: true },
  scrollRestoration: () => !isOverlayMove(),
  getScrollRestorationKey: pageOf,
  defaultPreload: 'intent',
  defaultPendingComponent: Pending,
  defaultPendingMs: PENDING_MS,
  defaultPendingMinMs: 0,
  defaultErrorComponent: Failed,
  defaultNotFoundComponent: () => <NotFound />,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
