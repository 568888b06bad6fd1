import type { SiteSettings } from './site-settings.ts'

/** Settings in effect, as `readConfig` returns them. */
export interface Config {
  host: string
  port: number
  dataDir: string
  databaseUrl: string | undefined
  databaseReplicaUrl: string | undefined
  tokenSecret: string
  encryptionKey: string
  /** Undefined when registration is closed. */
  captchaSecret: string | undefined
  captchaCost: number
  accessTokenTtl: number
  refreshTokenTtl: number
  publicUrl: string | undefined
  web: boolean
  corsOrigins: string[]
  trustProxy: number
  /** Undefined when metrics are disabled. */
  metricsPort: number | undefined
  rateLimits: 'basic' | 'enforce' | 'off'
  /** Undefined when no mail is sent. */
  smtpUrl: string | undefined
  /** Sender of mails. Set whenever `smtpUrl` is. */
  mailFrom: string | undefined
  emailVerification: 'off' | 'required'
  /** Seconds. */
  mailTokenTtl: number
  /** Seconds. */
  mailUndoTtl: number
  /** Seconds. */
  erasureGrace: number
  /** Seconds. */
  exportTtl: number
  defaultLanguage: 'ko' | 'en'
  /** A mailto:, https: or tel: URL; undefined when there is no security.txt. */
  securityContact: string | undefined
  /** Undefined when the server itself offers its source. */
  sourceUrl: string | undefined
  logLevel: string
  storageUrl: string | undefined
  maxUploadBytes: number
  /** Site settings that the environment fixes. A quota of null is unlimited. */
  fixedSettings: Partial<SiteSettings>
  /** Undefined when games use the port after the server's. */
  gamesUrl: string | undefined
  signedUrlTtl: number
  conversionLimit: number
  webhookAllowPrivate: boolean
  webhookRetrySchedule: number[]
  /** Command or path of FFmpeg; undefined when switched off. A command is looked up in `searchPath`. */
  ffmpeg: string | undefined
  /** Command or path of Chromium; undefined when switched off. A command is looked up in `searchPath`. */
  chromium: string | undefined
  searchPath: string
}
