import { Type } from 'typebox'
import type { CoreDeps } from '../http/declaration.ts'
import type { Api } from '../http/route.ts'
import { SCOPES } from '../keys/scopes.ts'
import { message } from '../messages/language.ts'
import { createKey, listKeys, revokeKey, rotateKey } from './keys.ts'
import { listApps } from './queries.ts'
import { createApp, deleteApp, requireApp, updateApp } from './rules.ts'
import {
  type AppRecord,
  Apps,
  CreateApp,
  CreateKey,
  type KeyRecord,
  Keys,
  NewKey,
  OneApp,
  RotateKey,
  ScopeCatalogue,
  toApp,
  UpdateApp,
} from './schema.ts'

const tag = 'Apps'
const auth = 'user'
const ofApp = { app_id: { id: 'app', missing: 'APP_NOT_FOUND', only: 'owner' } } as const
const ofKey = { key_id: { id: 'key', missing: 'KEY_NOT_FOUND', only: 'owner' } } as const

const app: AppRecord = {
  id: 'app_01kazs2c9hf7w4m1t6bq8yx3ng',
  app_name: 'River uploader',
  app_type: 'server',
  description: 'Publishes what the cameras at the river record.',
  redirect_uris: ['https://river.example.com/callback', 'http://127.0.0.1:8400/callback'],
  scopes: ['contents:read', 'contents:write'],
  created_at: '2026-11-21T08:40:00.000Z',
  updated_at: '2026-11-21T08:40:00.000Z',
}
const key: KeyRecord = {
  id: 'key_01kazs5r3de8x2v6kj0hwt9pfz',
  app_id: app.id,
  key_name: 'Camera 1',
  environment: 'live',
  key_prefix: 'plz_live_4Wq8',
  last_four: '1ZbN',
  scopes: ['contents:write'],
  last_used_at: null,
  expires_at: '2027-11-21T00:00:00.000Z',
  revoked_at: null,
  created_at: '2026-11-21T08:42:11.352Z',
}
const issued = { key, raw_key: 'plz_live_4Wq8…1ZbN' }

export function registerDevconsole(api: Api<CoreDeps>): void {
  api.get('/devconsole/apps', {
    id: 'listApps',
    summary: 'List your apps, newest first',
    tag,
    auth,
    data: Apps,
    example: { apps: [app] },
    handler: async ({ db, viewer }) => ({ apps: (await listApps(db, viewer.id)).map(toApp) }),
  })

  api.post('/devconsole/apps', {
    id: 'createApp',
    summary: 'Register an app',
    tag,
    auth,
    body: CreateApp,
    data: OneApp,
    status: 201,
    errors: ['LIMIT_REACHED'],
    example: { app },
    handler: async ({ db, viewer, body, now }) => ({ app: await createApp(db, viewer, body, now) }),
  })

  api.get('/devconsole/apps/:app_id', {
    id: 'getApp',
    summary: 'Read an app of yours',
    tag,
    auth,
    params: ofApp,
    data: OneApp,
    errors: ['APP_NOT_FOUND'],
    example: { app },
    handler: async ({ db, viewer, params }) => ({
      app: toApp(await requireApp(db, viewer, params.app_id)),
    }),
  })

  api.patch('/devconsole/apps/:app_id', {
    id: 'updateApp',
    summary: 'Change an app of yours',
    description:
      'A key has the scopes that both it and its app list, so removing a scope here affects its keys at once.',
    tag,
    auth,
    params: ofApp,
    body: UpdateApp,
    data: OneApp,
    errors: ['APP_NOT_FOUND'],
    example: { app },
    handler: async ({ db, viewer, params, body, now }) => ({
      app: await updateApp(db, viewer, params.app_id, body, now),
    }),
  })

  api.delete('/devconsole/apps/:app_id', {
    id: 'deleteApp',
    summary: 'Delete an app of yours and revoke its keys',
    tag,
    auth,
    params: ofApp,
    errors: ['APP_NOT_FOUND'],
    handler: ({ db, viewer, params, now }) => deleteApp(db, viewer, params.app_id, now),
  })

  api.get('/devconsole/apps/:app_id/keys', {
    id: 'listKeys',
    summary: 'List the keys of an app, newest first',
    description: 'Lists all active keys, and the newest 100 that were revoked or have expired.',
    tag: 'Keys',
    auth,
    params: ofApp,
    data: Keys,
    errors: ['APP_NOT_FOUND'],
    example: { keys: [key] },
    handler: async ({ db, viewer, params, now }) => ({
      keys: await listKeys(db, viewer, params.app_id, now),
    }),
  })

  api.post('/devconsole/apps/:app_id/keys', {
    id: 'createKey',
    summary: 'Create a key for an app; its raw value is returned only once',
    tag: 'Keys',
    auth,
    // `createKey` checks the format of this id, so that an invalid `expires_at` is reported before a missing app.
    params: { app_id: { ...ofApp.app_id, byRule: true } },
    body: CreateKey,
    data: NewKey,
    status: 201,
    errors: ['APP_NOT_FOUND', 'LIMIT_REACHED'],
    example: issued,
    handler: ({ db, viewer, params, body, now }) => createKey(db, viewer, params.app_id, body, now),
  })

  api.delete('/devconsole/keys/:key_id', {
    id: 'revokeKey',
    summary: 'Revoke a key of an app immediately; repeating it has no effect',
    tag: 'Keys',
    auth,
    params: ofKey,
    errors: ['KEY_NOT_FOUND'],
    handler: ({ db, viewer, params, now }) => revokeKey(db, viewer, params.key_id, now),
  })

  api.post('/devconsole/keys/:key_id/rotate', {
    id: 'rotateKey',
    summary: 'Replace a key with a new one of the same name, environment, scopes and expiry',
    description:
      'The old key stops working at once, or after `overlap_seconds`. A key that no longer works is 404.',
    tag: 'Keys',
    auth,
    params: ofKey,
    body: Type.Optional(RotateKey),
    data: NewKey,
    errors: ['KEY_NOT_FOUND', 'LIMIT_REACHED'],
    example: issued,
    handler: ({ db, viewer, params, body, now }) =>
      rotateKey(db, viewer, params.key_id, (body.overlap_seconds ?? 0) * 1000, now),
  })

  api.get('/devconsole/scopes', {
    id: 'listScopes',
    summary: 'List all scopes of apps and keys',
    tag,
    auth,
    data: ScopeCatalogue,
    example: {
      scopes: [
        {
          name: 'contents:write',
          resource: 'contents',
          action: 'write',
          description: 'Create works',
        },
      ],
    },
    handler: ({ language }) => ({
      scopes: SCOPES.map((name) => {
        const [resource = '', action = ''] = name.split(':')
        return { name, resource, action, description: message(language, `scope.${name}`) }
      }),
    }),
  })
}
