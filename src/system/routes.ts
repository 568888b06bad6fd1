import { Type } from 'typebox'
import type { CoreDeps } from '../http/declaration.ts'
import { choice } from '../http/fields.ts'
import type { Api } from '../http/route.ts'
import { VERSION } from '../package.ts'
import { checkHealth, type HealthDeps } from './rules.ts'

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

export function registerSystem(api: Api<CoreDeps & HealthDeps>): void {
  api.get('/api/health', {
    id: 'checkHealth',
    summary: 'Check health',
    description:
      '`degraded` means that files cannot be stored or background work has stopped. 503 means that the database cannot be reached, with `strict=true` that any check fails. Its `details` name the failing checks.',
    tag: 'System',
    auth: { mode: 'public', always: true },
    query: Type.Object({
      strict: Type.Optional(
        choice(['true', 'false'], {
          description: 'With `true` the response is 503 unless every check is ok',
        }),
      ),
    }),
    cache: 'private',
    data: Health,
    errors: ['SERVICE_UNAVAILABLE'],
    example: {
      status: 'ok',
      version: VERSION,
      uptime_s: 12.5,
      checks: { database: 'ok', storage: 'ok', jobs: 'ok' },
    },
    handler: ({ deps, db, query }) => checkHealth(db, deps, { isStrict: query.strict === 'true' }),
  })
}
