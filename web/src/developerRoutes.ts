import { createRoute } from '@tanstack/react-router'
import { below, choice, lazyPage, page, requireSession } from './routing.tsx'

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
