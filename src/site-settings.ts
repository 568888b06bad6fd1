/** Settings of the site that can be changed while the server runs, and their defaults. */
import { hash } from 'node:crypto'
import type { Config } from './config-type.ts'
import type { SiteRow } from './db/site-tables.ts'

export const REGISTRATION_MODES = ['open', 'approval', 'invite', 'closed'] as const
export type Registration = (typeof REGISTRATION_MODES)[number]

/** Largest storage quota of one user, in bytes. */
export const QUOTA_MAX = 2 ** 49

export interface SiteSettings {
  name: string
  description: string
  /** Email address or https URL. */
  contact: string | null
  /** Email address or https URL. */
  security_contact: string | null
  /** Accent colour as `#rrggbb` in lower case. */
  accent: string | null
  registration: Registration
  /** Maximum number of usable invites that a user without the permission `members` may have. */
  invites_per_user: number
  /** Storage quota of one user in bytes; null means unlimited. */
  default_quota_bytes: number | null
  adult_default: 'hide' | 'blur'
  ai_crawlers: 'allow' | 'deny'
}

export const DEFAULTS: SiteSettings = {
  name: 'Plaza',
  description: '',
  contact: null,
  security_contact: null,
  accent: null,
  registration: 'open',
  invites_per_user: 0,
  default_quota_bytes: 10_737_418_240,
  adult_default: 'blur',
  ai_crawlers: 'allow',
}

/**
 * Default accent colour (ACCENT), and background of pages in the light theme (CANVAS). Both must equal the values in
 * `web/src/styles/tokens.css`.
 */
export const ACCENT = '#2b59c3'
export const CANVAS = '#f7f6f3'

/** Settings that the environment of the process fixes. */
export interface Fixed {
  fixedSettings: Partial<SiteSettings>
}

/** Returns the settings that environment variables fix. A quota of 0 bytes means unlimited. */
export function fixedSettingsOf(values: {
  SITE_NAME: string | undefined
  REGISTRATION: Registration | undefined
  USER_QUOTA_BYTES: number | undefined
}): Partial<SiteSettings> {
  const { SITE_NAME, REGISTRATION, USER_QUOTA_BYTES } = values
  return {
    ...(SITE_NAME !== undefined && { name: SITE_NAME }),
    ...(REGISTRATION !== undefined && { registration: REGISTRATION }),
    ...(USER_QUOTA_BYTES !== undefined && { default_quota_bytes: USER_QUOTA_BYTES || null }),
  }
}

/** Returns the settings that apply: those from the environment, then stored settings, then defaults. */
export function settingsOf({ settings }: Pick<SiteRow, 'settings'>, fixed: Fixed): SiteSettings {
  const stored: Partial<SiteSettings> = JSON.parse(settings)
  return { ...DEFAULTS, ...stored, ...fixed.fixedSettings }
}

/**
 * Returns a text that changes with the icons of the site. The URLs of the icons contain this text, so caches can keep
 * the icons.
 */
export function iconVersionOf(logoUrl: string | null, accent: string | null): string {
  return hash('sha1', `${logoUrl} ${accent}`, 'base64url').slice(0, 8)
}

export type SiteUrlSettings = Pick<Config, 'publicUrl' | 'host' | 'port'>

/**
 * Returns the address of the site from the settings. Request headers are not used, because clients could forge
 * them.
 */
export function siteUrl({ publicUrl, host, port }: SiteUrlSettings): string {
  if (publicUrl) return publicUrl
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
