/** Declares and reads all settings. No other file reads settings from the environment. */
import { resolve } from 'node:path'
import type { Config } from './config-type.ts'
import { checkMail, checkOrigins, checkPorts, checkReplica } from './config-checks.ts'
import { givenSecrets, storedSecrets } from './config-secrets.ts'
import {
  ConfigError,
  contact,
  corsOrigin,
  hexKey,
  integer,
  integers,
  oneOf,
  origin,
  type Setting,
  secret,
  sender,
  setting,
  shortText,
  smtpUrl,
  text,
  url,
  JOB_SECONDS,
} from './config-values.ts'
import {
  DEFAULTS,
  fixedSettingsOf,
  QUOTA_MAX,
  type Registration,
  REGISTRATION_MODES,
} from './site-settings.ts'
import { parseStorageUrl } from './storage/s3-url.ts'

export const SETTINGS = {
  HOST: setting('Address to listen on', '127.0.0.1', text),
  PORT: setting('Port to listen on; the next port serves games', 3000, integer(0, 65_535)),
  DATA_DIR: setting('Folder of the embedded database, generated secrets and files', './data', text),
  DATABASE_URL: setting(
    'URL of a PostgreSQL database; unset: uses the embedded database',
    undefined as string | undefined,
    url('postgres:', 'postgresql:'),
    'embedded',
  ),
  DATABASE_REPLICA_URL: setting(
    'URL of a replica of that database, for public lists',
    undefined as string | undefined,
    url('postgres:', 'postgresql:'),
    'none',
  ),
  TOKEN_SECRET: setting(
    'At least 32 characters; a change ends every session at its next refresh',
    undefined as string | undefined,
    secret,
    'generated with the embedded database',
  ),
  ENCRYPTION_KEY: setting(
    '64 hex digits; encrypts webhook and TOTP secrets and the links of waiting mails',
    undefined as string | undefined,
    hexKey,
    'generated with the embedded database',
  ),
  CAPTCHA_SECRET: {
    meaning: 'At least 32 characters; an empty value closes registration',
    defaultText: 'generated with the embedded database',
    read: (value) => (value ? secret(value) : value),
  } as Setting<string | undefined>,
  CAPTCHA_COST: setting(
    "Iterations per attempt of the captcha's proof of work",
    5000,
    integer(1, 10_000_000),
  ),
  ACCESS_TOKEN_TTL: setting(
    'Lifetime of an access token in seconds, at most REFRESH_TOKEN_TTL',
    3600,
    integer(1, 31_536_000),
  ),
  REFRESH_TOKEN_TTL: setting(
    'Seconds until an unused session expires',
    2_592_000,
    integer(1, 315_360_000),
  ),
  PUBLIC_URL: setting(
    'Public URL of this server, if it differs from HOST and PORT',
    undefined as string | undefined,
    origin,
    'from HOST and PORT',
  ),
  GAMES_URL: setting(
    'Public URL of the games origin',
    undefined as string | undefined,
    origin,
    'the port after PORT',
  ),
  WEB: setting(
    'on: serves the web client; off: does not build it, and / returns 404',
    'on',
    oneOf('on', 'off'),
  ),
  CORS_ORIGINS: setting(
    'Origins of web pages that may call the API, comma-separated, or *',
    ['*'],
    (value) => value.split(',').map(corsOrigin),
    '*',
  ),
  TRUST_PROXY: setting('Number of reverse proxies in front of the server', 0, integer(0, 10)),
  METRICS_PORT: setting(
    'Port of GET /metrics in the Prometheus text format; keep it private',
    undefined as number | undefined,
    integer(0, 65_535),
    'off',
  ),
  RATE_LIMITS: setting(
    'basic: limits the writes of each user; enforce: also limits all requests by tier; off: limits neither, for imports and benchmarks',
    'basic',
    oneOf('basic', 'enforce', 'off'),
  ),
  SMTP_URL: setting(
    'Mail server: smtp://USER:PASSWORD@HOST:PORT (needs STARTTLS), or smtps:// for TLS from the start',
    undefined as string | undefined,
    smtpUrl,
    'no mail',
  ),
  MAIL_FROM: setting(
    'Sender of mails: an address, or NAME <ADDRESS>; required with SMTP_URL',
    undefined as string | undefined,
    sender,
  ),
  EMAIL_VERIFICATION: setting(
    'required: accounts can write only after they have confirmed their address; needs SMTP_URL and PUBLIC_URL',
    'off',
    oneOf('off', 'required'),
  ),
  MAIL_TOKEN_TTL: setting(
    'Seconds for which a link to reset a password or confirm an address works',
    3600,
    integer(1, 31_536_000),
  ),
  MAIL_UNDO_TTL: setting(
    'Seconds for which a change of address can be undone; the earlier address stays reserved',
    604_800,
    integer(1, 31_536_000),
  ),
  ERASURE_GRACE: setting(
    'Seconds between the request to delete an account and its erasure',
    1_209_600,
    integer(0, 31_536_000),
  ),
  EXPORT_TTL: setting(
    'Seconds for which an export can be downloaded',
    604_800,
    integer(1, 31_536_000),
  ),
  DEFAULT_LANGUAGE: setting(
    'Language of responses and pages if a client does not request a supported one: ko or en',
    'ko',
    oneOf('ko', 'en'),
  ),
  SITE_NAME: setting(
    'Name of the site, 1 to 50 characters; when set, the site settings cannot change it',
    undefined as string | undefined,
    shortText(50),
    'from the site settings',
  ),
  REGISTRATION: setting(
    'open, approval, invite or closed: who may register; when set, the site settings cannot change it',
    undefined as Registration | undefined,
    oneOf(...REGISTRATION_MODES),
    'from the site settings',
  ),
  SECURITY_CONTACT: setting(
    'Contact for reports of vulnerabilities, shown in /.well-known/security.txt: an email address, or a mailto:, https: or tel: URL',
    undefined as string | undefined,
    contact,
    'from the site settings',
  ),
  SOURCE_URL: setting(
    'URL where you publish the source of this server; by default /source sends the installed source',
    undefined as string | undefined,
    url('http:', 'https:'),
    '/source',
  ),
  LOG_LEVEL: setting(
    'Lowest level of logged lines',
    'info',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
  ),
  STORAGE_URL: setting(
    'S3-compatible file storage: s3://KEY:SECRET@HOST/BUCKET?region=REGION',
    undefined as string | undefined,
    (value) => parseStorageUrl(value) && value,
    'DATA_DIR',
  ),
  MAX_UPLOAD_BYTES: setting('Largest upload, in bytes', 536_870_912, integer(1, 2 ** 40)),
  USER_QUOTA_BYTES: setting(
    'Storage quota of one user in bytes, including converted files; allows one file for each 4,096 bytes, and at least 1,000; 0: unlimited; when set, the site settings cannot change it',
    undefined as number | undefined,
    integer(0, QUOTA_MAX),
    String(DEFAULTS.default_quota_bytes),
  ),
  SIGNED_URL_TTL: setting(
    'Lifetime of the signed URL of a game, in seconds',
    600,
    integer(1, 604_800),
  ),
  WEBHOOK_ALLOW_PRIVATE: setting(
    "on: allows webhooks to private addresses; only for a developer's machine",
    'off',
    oneOf('off', 'on'),
  ),
  WEBHOOK_RETRY_SCHEDULE: setting(
    'Seconds between the attempts of a delivery, comma-separated',
    [5, 300, 1800, 7200, 18_000, 36_000, 36_000],
    integers(0, 604_800),
    '5,300,1800,7200,18000,36000,36000',
  ),
  FFMPEG: setting(
    'ffmpeg command for video and audio, with ffprobe in the same folder; off: no conversion',
    'ffmpeg',
    text,
  ),
  CONVERSION_LIMIT: setting(
    'Processor seconds allowed for one conversion; all conversions and thumbnails of a user may use four times as much per day',
    JOB_SECONDS,
    integer(1, 10_000_000),
  ),
  CHROMIUM: setting(
    "Chromium command for screenshots of games; off: thumbnails show a picture from the game's files or a generated one",
    'chromium',
    text,
  ),
} satisfies Record<string, Setting<unknown>>

type Values = { [K in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[K]['read']> }

/**
 * Returns the settings from environment variables. With the embedded database, generates missing secrets and stores
 * them in DATA_DIR. With PostgreSQL, the secrets must be set. Checks the ports only with `listens`.
 * Errors: ConfigError naming the wrong setting; an Error when `secrets.json` is unusable or, without `restores`, when
 * a part of DATA_DIR is lost.
 */
export function readConfig(env: Env, { listens = true, restores = false } = {}): Config {
  const values = Object.fromEntries(
    (Object.keys(SETTINGS) as (keyof Values)[]).map((name) => [name, readSetting(env, name)]),
  ) as Values
  checkOrigins(values)
  if (listens) checkPorts(values)
  checkReplica(values)
  checkMail(values)
  const dataDir = resolve(values.DATA_DIR)
  return {
    // For `localhost`, Fastify would open a second listener, which the shutdown would not track.
    host: values.HOST === 'localhost' ? '127.0.0.1' : values.HOST,
    port: values.PORT,
    dataDir,
    databaseUrl: values.DATABASE_URL,
    databaseReplicaUrl: values.DATABASE_REPLICA_URL,
    ...(values.DATABASE_URL ? givenSecrets(values) : storedSecrets(values, dataDir, restores)),
    captchaCost: values.CAPTCHA_COST,
    // An access token must not outlive its session.
    accessTokenTtl: Math.min(values.ACCESS_TOKEN_TTL, values.REFRESH_TOKEN_TTL),
    refreshTokenTtl: values.REFRESH_TOKEN_TTL,
    publicUrl: values.PUBLIC_URL,
    web: values.WEB === 'on',
    corsOrigins: values.CORS_ORIGINS,
    trustProxy: values.TRUST_PROXY,
    metricsPort: values.METRICS_PORT,
    rateLimits: values.RATE_LIMITS,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    emailVerification: values.EMAIL_VERIFICATION,
    mailTokenTtl: values.MAIL_TOKEN_TTL,
    mailUndoTtl: values.MAIL_UNDO_TTL,
    erasureGrace: values.ERASURE_GRACE,
    exportTtl: values.EXPORT_TTL,
    defaultLanguage: values.DEFAULT_LANGUAGE,
    securityContact: values.SECURITY_CONTACT,
    sourceUrl: values.SOURCE_URL,
    logLevel: values.LOG_LEVEL,
    storageUrl: values.STORAGE_URL,
    maxUploadBytes: values.MAX_UPLOAD_BYTES,
    fixedSettings: fixedSettingsOf(values),
    gamesUrl: values.GAMES_URL,
    signedUrlTtl: values.SIGNED_URL_TTL,
    webhookAllowPrivate: values.WEBHOOK_ALLOW_PRIVATE === 'on',
    webhookRetrySchedule: values.WEBHOOK_RETRY_SCHEDULE,
    ffmpeg: values.FFMPEG === 'off' ? undefined : values.FFMPEG,
    chromium: values.CHROMIUM === 'off' ? undefined : values.CHROMIUM,
    conversionLimit: values.CONVERSION_LIMIT,
    searchPath: env['PATH'] || '/usr/local/bin:/usr/bin:/bin',
  }
}

export type { Config } from './config-type.ts'

type Env = Record<string, string | undefined>

function readSetting<K extends keyof Values>(env: Env, name: K): Values[K] {
  try {
    return SETTINGS[name].read(env[name]) as Values[K]
  } catch (error) {
    throw new ConfigError(`${name} ${(error as Error).message}`)
  }
}

export function readPlace(env: Env): Pick<Config, 'dataDir' | 'databaseUrl'> {
  return {
    dataDir: resolve(readSetting(env, 'DATA_DIR')),
    databaseUrl: readSetting(env, 'DATABASE_URL'),
  }
}
