import type { CoreDeps } from '../http/declaration.ts'
import type { Api } from '../http/route.ts'
import { listLegacyKeys } from '../keys/queries.ts'
import { createLegacyKey, revokeLegacyKey } from './rules.ts'
import {
  CreateLegacyKey,
  type LegacyKeyRecord,
  LegacyKeys,
  NewLegacyKey,
  toLegacyKey,
} from './schema.ts'

const tag = 'Legacy keys'
const auth = 'user'

const key: LegacyKeyRecord = {
  id: 'key_01kazs8n6qf2c4t7ymx1rwb5dh',
  key_name: 'Nightly upload',
  key_prefix: 'plz_user_9fKe',
  last_four: '0Pqd',
  last_used_at: null,
  created_at: '2026-11-21T08:43:50.117Z',
}

export function registerDeveloper(api: Api<CoreDeps>): void {
  api.get('/developer/keys', {
    id: 'listLegacyKeys',
    summary: 'List your active legacy keys, newest first',
    tag,
    auth,
    data: LegacyKeys,
    example: { keys: [{ ...key, last_used_at: '2026-11-21T09:00:02.480Z' }] },
    handler: async ({ db, viewer }) => ({
      keys: (await listLegacyKeys(db, viewer.id)).map(toLegacyKey),
    }),
  })

  api.post('/developer/keys', {
    id: 'createLegacyKey',
    summary: 'Create a legacy key; its raw value is returned only once',
    tag,
    auth,
    body: CreateLegacyKey,
    data: NewLegacyKey,
    status: 201,
    errors: ['LIMIT_REACHED'],
    example: { key, raw_key: 'plz_user_9fKe…0Pqd' },
    handler: ({ db, viewer, body, now }) => createLegacyKey(db, viewer, body.key_name, now),
  })

  api.delete('/developer/keys/:id', {
    id: 'revokeLegacyKey',
    summary: 'Revoke a legacy key immediately; repeating it has no effect',
    tag,
    auth,
    params: { id: { id: 'key', missing: 'KEY_NOT_FOUND', only: 'owner' } },
    errors: ['KEY_NOT_FOUND'],
    handler: ({ db, viewer, params, now }) => revokeLegacyKey(db, viewer, params.id, now),
  })
}
