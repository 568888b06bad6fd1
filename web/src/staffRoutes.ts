/** Routes of pages for administrators and users with permissions. */
import { createRoute } from '@tanstack/react-router'
import { below, choice, lazyPage, page, requireSession, text } from './routing.tsx'

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
  component: lazyPage(() => import('./moderation/DeskAppeals.tsx'), 'DeskAppeals'),
})
export const admin = createRoute({
  getParentRoute: below,
  path: '/admin',
  validateSearch: (search): { q?: string; page?: number } => ({
    q: text(search['q']),
    page: page(search['page']),
  }),
  beforeLoad: requireSession,
  component: lazyPage(() => import('./admin/Members.tsx'), 'Users'),
})
export const member = createRoute({
  getParentRoute: below,
  path: '/admin/members/$id',
  beforeLoad: requireSession,
  component: lazyPage(() => import('./admin/Member.tsx'), 'User'),
})
