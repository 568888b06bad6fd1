/** Routes of pages for developers, administrators and users with permissions. */
import { createRoute } from '@tanstack/react-router'
import {
  below,
  choice,
  lazyPage,
  page,
  requireSession,
  requireSessionAtFirst,
  text,
} from './routing.tsx'

export const devconsole = createRoute({
  getParentRoute: below,
  path: '/devconsole',
  beforeLoad: requireSession,
  component: lazyPage(() => import('./devconsole/Apps.tsx'), 'Apps'),
})
export const legacyKeys = createRoute({
  getParentRoute: below,
  path: '/devconsole/keys',
  beforeLoad: requireSession,
  component: lazyPage(() => import('./devconsole/LegacyKeys.tsx'), 'LegacyKeys'),
})
export const app = createRoute({
  getParentRoute: below,
  path: '/devconsole/apps/$app_id',
  validateSearch: (search): { part?: 'webhooks' | 'settings' } => ({
    part: choice(search['part'], ['keys', 'webhooks', 'settings']),
  }),
  beforeLoad: requireSession,
  component: lazyPage(() => import('./devconsole/App.tsx'), 'App'),
})
export const webhook = createRoute({
  getParentRoute: below,
  path: '/devconsole/apps/$app_id/webhooks/$webhook_id',
  validateSearch: (search): { page?: number } => ({ page: page(search['page']) }),
  beforeLoad: requireSession,
  component: lazyPage(() => import('./devconsole/Webhook.tsx'), 'Webhook'),
})

interface CasesSearch {
  status?: 'decided'
  kind?: 'content' | 'comment' | 'post' | 'message' | 'user'
  reason?: (typeof REASONS)[number]
  assignee?: 'me' | 'none'
  case?: string
}

const REASONS = [
  'spam',
  'abuse',
  'sexual',
  'minors',
  'violence',
  'copyright',
  'illegal',
  'other',
] as const

const ACTIONS = ['none', 'warn', 'hide', 'rate', 'block_file', 'suspend', 'sweep'] as const

export const moderation = createRoute({
  getParentRoute: below,
  path: '/moderation',
  validateSearch: (search): CasesSearch => ({
    status: choice(search['status'], ['open', 'decided']),
    kind: choice(search['kind'], ['all', 'content', 'comment', 'post', 'message', 'user']),
    reason: choice(search['reason'], ['all', ...REASONS]),
    assignee: choice(search['assignee'], ['all', 'me', 'none']),
    case: text(search['case']),
  }),
  beforeLoad: requireSession,
  component: lazyPage(() => import('./moderation/Desk.tsx'), 'Desk'),
})
export const deskDecisions = createRoute({
  getParentRoute: below,
  path: '/moderation/decisions',
  validateSearch: (
    search,
  ): {
    user?: string
    action?: (typeof ACTIONS)[number]
    status?: 'applying' | 'in_effect' | 'undoing' | 'undone'
  } => ({
    user: text(search['user']),
    action: choice(search['action'], ['all', ...ACTIONS]),
    status: choice(search['status'], ['all', 'applying', 'in_effect', 'undoing', 'undone']),
  }),
  beforeLoad: requireSession,
  component: lazyPage(() => import('./moderation/DeskDecisions.tsx'), 'DeskDecisions'),
})
export const deskAppeals = createRoute({
  getParentRoute: below,
  path: '/moderation/appeals',
  validateSearch: (search): { status?: 'granted' | 'upheld' | 'closed' } => ({
    status: choice(search['status'], ['open', 'granted', 'upheld', 'closed']),
  }),
  beforeLoad: requireSession,
  component: lazyPage(() => import('./moderation/DeskDecisions.tsx'), 'DeskAppeals'),
})
export const overview = createRoute({
  getParentRoute: below,
  path: '/admin',
  beforeLoad: requireSession,
  component: lazyPage(() => import('./admin/Overview.tsx'), 'Overview'),
})
export const users = createRoute({
  getParentRoute: below,
  path: '/admin/members',
  validateSearch: (search): { q?: string; page?: number } => ({
    q: text(search['q']),
    page: page(search['page']),
  }),
  beforeLoad: requireSession,
  component: lazyPage(() => import('./admin/Users.tsx'), 'Users'),
})
export const applications = createRoute({
  getParentRoute: below,
  path: '/admin/applications',
  validateSearch: (search): { status?: 'approved' | 'rejected' | 'expired' } => ({
    status: choice(search['status'], ['pending', 'approved', 'rejected', 'expired']),
  }),
  beforeLoad: requireSession,
  component: lazyPage(() => import('./admin/Registration.tsx'), 'Applications'),
})
export const invites = createRoute({
  getParentRoute: below,
  path: '/admin/invites',
  beforeLoad: requireSession,
  component: lazyPage(() => import('./admin/Invites.tsx'), 'Invites'),
})
export const bans = createRoute({
  getParentRoute: below,
  path: '/admin/bans',
  beforeLoad: requireSession,
  component: lazyPage(() => import('./admin/Registration.tsx'), 'Bans'),
})
export const siteSettings = createRoute({
  getParentRoute: below,
  path: '/admin/site',
  beforeLoad: requireSessionAtFirst,
  component: lazyPage(() => import('./admin/SiteSettings.tsx'), 'SiteSettings'),
})
export const sitePages = createRoute({
  getParentRoute: below,
  path: '/admin/pages',
  validateSearch: (search): { slug?: string; is_new?: true } => ({
    slug: text(search['slug']),
    ...(search['is_new'] === true && { is_new: true }),
  }),
  beforeLoad: requireSessionAtFirst,
  component: lazyPage(() => import('./admin/SitePages.tsx'), 'SitePages'),
})
export const announcements = createRoute({
  getParentRoute: below,
  path: '/admin/announcements',
  beforeLoad: requireSessionAtFirst,
  component: lazyPage(() => import('./admin/Announcements.tsx'), 'Announcements'),
})
export const picks = createRoute({
  getParentRoute: below,
  path: '/admin/picks',
  beforeLoad: requireSession,
  component: lazyPage(() => import('./admin/Picks.tsx'), 'Picks'),
})
export const audit = createRoute({
  getParentRoute: below,
  path: '/admin/audit',
  validateSearch: (search): { actor?: string; target?: string; action?: string } => ({
    actor: text(search['actor']),
    target: text(search['target']),
    action: text(search['action']),
  }),
  beforeLoad: requireSession,
  component: lazyPage(() => import('./admin/Audit.tsx'), 'Audit'),
})
export const user = createRoute({
  getParentRoute: below,
  path: '/admin/members/$id',
  beforeLoad: requireSession,
  component: lazyPage(() => import('./admin/User.tsx'), 'User'),
})
