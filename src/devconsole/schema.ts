import { type Static, Type } from 'typebox'
import { iso, isoOrNull } from '../clock.ts'
import type { ApiKeyRow, AppRow, AppType, KeyEnvironment } from '../db/console-tables.ts'
import type { Problem } from '../errors.ts'
import { checked, secret } from '../http/fields.ts'
import { checkTime } from '../http/times.ts'
import { type Scope, SCOPES, scopesOf } from '../keys/scopes.ts'
import { checkRedirectUris, REDIRECT_URIS_MAX } from './redirect-uris.ts'

const NAME_MAX = 100
const DESCRIPTION_MAX = 1000
const URI_MAX = 2000
/** Maximum length of a list of scopes. Exceeds the number of scopes, so that a repeated scope is not an error. */
const SCOPES_MAX = 20
const OVERLAP_MAX = 86_400

const Time = Type.String({ format: 'date-time' })
const TimeOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' })
const NullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] })
const AppTypeName = Type.Unsafe<AppType>({
  type: 'string',
  enum: ['web', 'mobile', 'server', 'cli', 'game'],
})
const Environment = Type.Unsafe<KeyEnvironment>({
  type: 'string',
  enum: ['live', 'test'],
  description: 'Content that a test key creates is stored as a draft',
})
const ScopeName = Type.Unsafe<Scope>({ type: 'string', enum: [...SCOPES] })

const App = Type.Object(
  {
    id: Type.String(),
    app_name: Type.String(),
    app_type: AppTypeName,
    description: NullableText,
    redirect_uris: Type.Array(Type.String()),
    scopes: Type.Array(ScopeName, { description: 'Scopes that keys of the app may have' }),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'App' },
)
export type AppRecord = Static<typeof App>
export const OneApp = Type.Object({ app: App })
export const Apps = Type.Object({ apps: Type.Array(App) })

const AppName = Type.String({ minLength: 1, maxLength: NAME_MAX })
const Description = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  maxLength: DESCRIPTION_MAX,
})
const RedirectUris = Type.Array(Type.String({ minLength: 1, maxLength: URI_MAX }), {
  maxItems: REDIRECT_URIS_MAX,
  description:
    'Each https, or http on 127.0.0.0/8, [::1] or localhost; no fragment, credentials or wildcard',
})
const SCOPES_OF_APP = 'Scopes that keys of the app may have; `GET /devconsole/scopes` lists all'
const scopesOfApp = (description: string) =>
  Type.Array(ScopeName, { maxItems: SCOPES_MAX, description })

export const CreateApp = checked(
  Type.Object(
    {
      app_name: AppName,
      app_type: AppTypeName,
      description: Type.Optional(Description),
      redirect_uris: Type.Optional(RedirectUris),
      scopes: Type.Optional(scopesOfApp(`${SCOPES_OF_APP}; default: none`)),
    },
    {
      examples: [
        {
          app_name: 'River uploader',
          app_type: 'server',
          description: 'Publishes what the cameras at the river record.',
          redirect_uris: ['https://river.example.com/callback', 'http://127.0.0.1:8400/callback'],
          scopes: ['contents:read', 'contents:write'],
        },
      ],
    },
  ),
  checkApp,
)
export type CreateAppInput = Static<typeof CreateApp>

export const UpdateApp = checked(
  Type.Partial(Type.Object({ ...CreateApp.properties, scopes: scopesOfApp(SCOPES_OF_APP) }), {
    examples: [{ scopes: ['contents:read', 'contents:write'] }],
  }),
  checkApp,
)
export type UpdateAppInput = Static<typeof UpdateApp>

function checkApp(
  { redirect_uris }: { redirect_uris?: readonly unknown[] },
  problems: Problem[],
): void {
  checkRedirectUris(redirect_uris, problems)
}

const Key = Type.Object(
  {
    id: Type.String(),
    app_id: Type.String(),
    key_name: Type.String(),
    environment: Environment,
    key_prefix: Type.String({ description: 'Beginning of the raw key' }),
    last_four: Type.String({ description: 'Last four characters of the raw key' }),
    scopes: Type.Array(ScopeName, { description: 'Effective only if the app has the scope too' }),
    last_used_at: Type.Unsafe<string | null>({
      ...TimeOrNull,
      description: 'Accurate to the minute',
    }),
    expires_at: TimeOrNull,
    revoked_at: TimeOrNull,
    created_at: Time,
  },
  { title: 'ApiKey' },
)
export type KeyRecord = Static<typeof Key>
export const Keys = Type.Object({ keys: Type.Array(Key) })
export const NewKey = Type.Object({
  key: Key,
  raw_key: secret(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Returned only once; null in a replayed response',
    }),
  ),
})

export const CreateKey = checked(
  Type.Object(
    {
      key_name: Type.String({ minLength: 1, maxLength: NAME_MAX }),
      environment: Environment,
      scopes: Type.Optional(
        Type.Array(ScopeName, {
          maxItems: SCOPES_MAX,
          description: 'Subset of the scopes of the app; default: all of them',
        }),
      ),
      expires_at: Type.Optional(
        Type.Unsafe<string | null>({
          type: ['string', 'null'],
          format: 'date-time',
          maxLength: 40,
          description: 'A time in the future; null for a key that never expires',
        }),
      ),
    },
    {
      examples: [
        {
          key_name: 'Camera 1',
          environment: 'live',
          scopes: ['contents:write'],
          expires_at: '2027-11-21T00:00:00.000Z',
        },
      ],
    },
  ),
  checkKey,
)
export type CreateKeyInput = Static<typeof CreateKey>

function checkKey({ expires_at }: { expires_at?: string | null }, problems: Problem[]): void {
  checkTime('expires_at', expires_at, problems)
}

export const RotateKey = Type.Object(
  {
    overlap_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: OVERLAP_MAX,
        description: 'Seconds that the old key keeps working; default: 0',
      }),
    ),
  },
  { examples: [{ overlap_seconds: 3600 }] },
)

export const ScopeCatalogue = Type.Object({
  scopes: Type.Array(
    Type.Object(
      {
        name: ScopeName,
        resource: Type.String(),
        action: Type.String(),
        description: Type.String({ description: 'In the language of the request' }),
      },
      { title: 'Scope' },
    ),
  ),
})

export function toApp(row: AppRow): AppRecord {
  return {
    id: row.id,
    app_name: row.app_name,
    app_type: row.app_type,
    description: row.description,
    redirect_uris: JSON.parse(row.redirect_uris),
    scopes: scopesOf(row.scopes),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  }
}

export function toKey(row: ApiKeyRow): KeyRecord {
  const { app_id, environment, scopes } = row
  if (app_id === null || environment === null || scopes === null) {
    throw new Error(`${row.id} is not a key of an app`)
  }
  return {
    id: row.id,
    app_id,
    key_name: row.key_name,
    environment,
    key_prefix: row.key_prefix,
    last_four: row.last_four,
    scopes: scopesOf(scopes),
    last_used_at: isoOrNull(row.last_used_at),
    expires_at: isoOrNull(row.expires_at),
    revoked_at: isoOrNull(row.revoked_at),
    created_at: iso(row.created_at),
  }
}
