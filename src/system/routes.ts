import { Type } from 'typebox'
import type { PlazaApi } from '../deps.ts'
import { choice } from '../http/fields.ts'
import { checkHealth } from './rules.ts'

const Check = choice(['ok', 'failed'])

const Health = Type.Object(
  {
    status: choice(['ok', 'degraded']),
    version: Type.String(),
    uptime_s: Type.Number(),
    checks: Type.Object({ database: Check, storage: Check, jobs: Check }),
  },
  { title: 'Health' },
)

export function registerSystem(api: PlazaApi): void {
  api.get('/api/health', {
    id: 'checkHealth',
    summary: 'Tell whether the server can serve',
    description:
      '`degraded`: files cannot be stored, or background work stands still. 503: the database is away.',
    tag: 'System',
    auth: 'public',
    cache: 'private',
    metered: false,
    data: Health,
    errors: ['SERVICE_UNAVAILABLE'],
    example: {
      status: 'ok',
      version: '0.1.0',
      uptime_s: 12.5,
      checks: { database: 'ok', storage: 'ok', jobs: 'ok' },
    },
    handler: ({ deps, db }) => checkHealth(db, deps),
  })
}
