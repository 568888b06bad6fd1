import type { CoreDeps } from '../http/declaration.ts'
import type { Api } from '../http/route.ts'
import type { Store } from '../storage/store.ts'
import { VERSION } from '../package.ts'
import { Overview } from './rules.ts'
import { OverviewAnswer } from './schema.ts'

export interface OverviewDeps extends CoreDeps {
  store: Store
}

export function registerOverview(api: Api<OverviewDeps>): void {
  const overview = new Overview()

  api.get('/admin/overview', {
    id: 'getOverview',
    summary: 'Read numbers about the whole site, at most 60 seconds old',
    tag: 'Site',
    auth: 'site',
    data: OverviewAnswer,
    example: {
      overview: {
        users: { total: 312, suspended: 2, new_7d: 14, active_7d: 120 },
        contents: { draft: 31, processing: 1, published: 1100, archived: 12, hidden: 3 },
        comment_count: 5400,
        post_count: 900,
        storage: {
          original_bytes: 8_000_000_000,
          derived_bytes: 5_000_000_000,
          bundle_bytes: 40_000_000,
        },
        jobs: { queued: 1, processing: 1, failed_24h: 0 },
        mail: { pending: 0, failed_24h: 0 },
        webhooks: { pending: 2 },
        disk: { free_bytes: 90_000_000_000, total_bytes: 200_000_000_000 },
        last_backup_at: '2026-11-21T03:00:00.000Z',
        version: VERSION,
        uptime_s: 86_400,
        computed_at: '2026-11-21T09:30:00.000Z',
      },
    },
    handler: async ({ deps, db, now }) => ({ overview: await overview.read(db, deps.store, now) }),
  })
}
