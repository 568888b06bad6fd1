/**
 * Writes the tables of docs/settings.md from src/config.ts. With `--check` it writes nothing and fails when
 * the tables are out of date.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SETTINGS } from '../src/config.ts'
import { ROOT, writeOrCheck } from './generated.ts'

const GROUPS: Record<string, string[]> = {
  'Addresses and ports': [
    'HOST',
    'PORT',
    'PUBLIC_URL',
    'GAMES_URL',
    'TRUST_PROXY',
    'CORS_ORIGINS',
    'METRICS_PORT',
  ],
  'Data and files': [
    'DATA_DIR',
    'DATABASE_URL',
    'DATABASE_REPLICA_URL',
    'STORAGE_URL',
    'MAX_UPLOAD_BYTES',
    'USER_QUOTA_BYTES',
  ],
  Secrets: ['TOKEN_SECRET', 'ENCRYPTION_KEY', 'CAPTCHA_SECRET'],
  'Sessions and limits': [
    'ACCESS_TOKEN_TTL',
    'REFRESH_TOKEN_TTL',
    'SIGNED_URL_TTL',
    'ERASURE_GRACE',
    'EXPORT_TTL',
    'CAPTCHA_COST',
    'RATE_LIMITS',
  ],
  Mail: ['SMTP_URL', 'MAIL_FROM', 'EMAIL_VERIFICATION', 'MAIL_TOKEN_TTL', 'MAIL_UNDO_TTL'],
  'Site and log': [
    'SITE_NAME',
    'REGISTRATION',
    'WEB',
    'DEFAULT_LANGUAGE',
    'SECURITY_CONTACT',
    'SOURCE_URL',
    'LOG_LEVEL',
  ],
  Conversion: ['FFMPEG', 'CONVERSION_LIMIT', 'CHROMIUM'],
  Webhooks: ['WEBHOOK_RETRY_SCHEDULE', 'WEBHOOK_ALLOW_PRIVATE'],
}

const MARKERS = /(?<=^<!-- tables -->\n).*?(?=^<!-- end of tables -->$)/ms

const FILE = 'docs/settings.md'
const current = readFileSync(join(ROOT, FILE), 'utf8')
if (!MARKERS.test(current)) throw new Error(`${FILE} has no markers for the tables`)
writeOrCheck(
  FILE,
  current.replace(MARKERS, () => `\n${tables()}\n`),
  'npm run settings',
)

function tables(): string {
  const grouped = Object.values(GROUPS).flat()
  const missing = Object.keys(SETTINGS).filter((name) => !grouped.includes(name))
  if (missing.length > 0) {
    throw new Error(`scripts/settings.ts: add ${missing.join(', ')} to a group`)
  }
  const settings = new Map(Object.entries(SETTINGS))
  return Object.entries(GROUPS)
    .map(([heading, names]) => {
      const rows = names.map((name) => {
        const setting = settings.get(name)
        if (!setting) throw new Error(`scripts/settings.ts: ${name} is not a setting`)
        return `| \`${name}\` | ${setting.defaultText} | ${setting.meaning.replaceAll('|', '\\|')} |`
      })
      return [
        `## ${heading}`,
        '',
        '| Name | Default | Meaning |',
        '| --- | --- | --- |',
        ...rows,
        '',
      ].join('\n')
    })
    .join('\n')
}
