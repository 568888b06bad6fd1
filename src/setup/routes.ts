import { type CookieSettings, withCookie } from '../auth/cookie.ts'
import { exampleSignedIn } from '../users/example.ts'
import type { CoreDeps } from '../http/declaration.ts'
import type { Api } from '../http/route.ts'
import { hasAdmin } from '../users/managed.ts'
import { createFirstAdmin, type SetupTools } from './rules.ts'
import { SetUp, SetupInput } from './schema.ts'

export interface SetupDeps extends CoreDeps, SetupTools {
  config: SetupTools['config'] & CookieSettings
}

export function registerSetup(api: Api<SetupDeps>): void {
  api.post('/setup', {
    id: 'createFirstAdmin',
    summary: 'Create the first administrator and name the site',
    description:
      'Needs the code that each start of the server prints. Once an administrator exists, every method on this path returns 404 `ROUTE_NOT_FOUND`.',
    tag: 'Site',
    auth: {
      mode: 'public',
      refuse: async ({ deps }) => ((await hasAdmin(deps.db)) ? 'ROUTE_NOT_FOUND' : undefined),
    },
    body: SetupInput,
    data: SetUp,
    status: 201,
    errors: [
      'ROUTE_NOT_FOUND',
      'SETUP_CODE_INVALID',
      'HANDLE_TAKEN',
      'EMAIL_TAKEN',
      'LEGACY_ACCOUNT_CONFLICT',
      'RATE_LIMITED',
    ],
    example: exampleSignedIn,
    handler: async (call) => {
      const { deps, db, body, now, requestId } = call
      const origin = { now, requestId: `req_${requestId}` }
      return withCookie(call, await createFirstAdmin(db, deps, body, call, origin))
    },
  })
}
