import { type Static, Type } from 'typebox'
import { iso, isoOrNull } from '../clock.ts'
import type { ApiKeyRow, AppRow, AppType, KeyEnvironment } from '../db/console-tables.ts'
import type { Problem } from '../errors.ts'
import { type Scope, SCOPES, scopesOf } from '../keys/scopes.ts'
import { checkRedirectUris, REDIRECT_URIS_MAX } from './redirect-uris.ts'

const NAME_MAX = 100
const DESCRIPTION_MAX = 1000
const URI_MAX = 2000
/** More than there are, so that a repeated one is no error. */
const SCOPES_MAX = 20
/** Seconds. */
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
  description: 'What a test key creates is stored as a draft',
})
const ScopeName = Type.Unsafe<Scope>({ type: 'string', enum: [...SCOPES] })

const App = Type.Object(
  {
    id: Type.String(),
    app_name: Type.String(),
    app_type: AppTypeName,
    description: NullableText,
    redirect_uris: Type.Array(Type.String()),
    scopes: Type.Array(ScopeName, { description: 'What keys of the app may be allowed' }),
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
const SCOPES_OF_APP = 'What keys of the app may be allowed; `GET /devconsole/scopes` lists all'
const scopesOfApp = (description: string) =>
  Type.Array(ScopeName, { maxItems: SCOPES_MAX, description })

export const CreateApp = Type.Object({
  app_name: AppName,
  app_type: AppTypeName,
  description: Type.Optional(Description),
  redirect_uris: Type.Optional(RedirectUris),
  scopes: Type.Optional(scopesOfApp(`${SCOPES_OF_APP}; none unless given`)),
})
export type CreateAppInput = Static<typeof CreateApp>

export const UpdateApp = Type.Partial(
  Type.Object({ ...CreateApp.properties, scopes: scopesOfApp(SCOPES_OF_APP) }),
)
export type UpdateAppInput = Static<typeof UpdateApp>

/** Adds what the schema of an app cannot say. */
export function checkApp({ redirect_uris }: UpdateAppInput, problems: Problem[]): void {
  checkRedirectUris(redirect_uris, problems)
}

const Key = Type.Object(
  {
    id: Type.String(),
    app_id: Type.String(),
    key_name: Type.String(),
    environment: Environment,
    key_prefix: Type.String({ description: 'How the raw key begins' }),
    last_four: Type.String({ description: 'How the raw key ends' }),
    scopes: Type.Array(ScopeName, { description: 'The key may do what its app allows too' }),
    last_used_at: Type.Unsafe<string | null>({ ...TimeOrNull, description: 'To the minute' }),
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
  raw_key: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Shown in this answer only; null when it is replayed',
  }),
})

export const CreateKey = Type.Object({
  key_name: Type.String({ minLength: 1, maxLength: NAME_MAX }),
  environment: Environment,
  scopes: Type.Optional(
    Type.Array(ScopeName, {
      maxItems: SCOPES_MAX,
      description: 'Some of those of the app; all of them unless given',
    }),
  ),
  expires_at: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      maxLength: 40,
      description: 'In the future; null for a key without an end',
    }),
  ),
})
export type CreateKeyInput = Static<typeof CreateKey>

/** Adds what the schema of a key cannot say. */
export function checkKey({ expires_at }: Partial<CreateKeyInput>, problems: Problem[]): void {
  if (typeof expires_at === 'string' && parseTime(expires_at) === undefined) {
    problems.push({ field: 'expires_at', key: 'invalid.time' })
  }
}

const TIME = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/i

/** The epoch milliseconds of an ISO 8601 time with its zone, or undefined for what is none. */
export function parseTime(text: string): number | undefined {
  const [, year, month, day] = TIME.exec(text)?.map(Number) ?? []
  const time = Date.parse(text)
  if (year === undefined || month === undefined || Number.isNaN(time)) return undefined
  // Date.parse takes the 31st of every month.
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day ? time : undefined
}

export const RotateKey = Type.Object({
  overlap_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: OVERLAP_MAX,
      description: 'How long the old key still works; 0 unless given',
    }),
  ),
})

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
    throw new Error(`${row.id} is no key of an app`)
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
