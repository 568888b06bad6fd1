import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type Config } from '../config.ts'

/** Describes problems with the secrets and with the permissions of their file. */
export function listWeaknesses(config: Config): string[] {
  const secrets = {
    TOKEN_SECRET: config.tokenSecret,
    ENCRYPTION_KEY: config.encryptionKey,
    CAPTCHA_SECRET: config.captchaSecret,
  }
  const weak = Object.entries(secrets)
    .filter(([, secret]) => secret !== undefined && new Set(secret).size === 1)
    .map(([name]) => `${name} is one repeated character, which is easy to guess`)
  return [...weak, ...listExposures(config)]
}

/**
 * Returns a message when other users of the machine can read `secrets.json`. Does not check on PostgreSQL,
 * where the environment sets the secrets, or on Windows.
 */
function listExposures({ databaseUrl, dataDir }: Config): string[] {
  if (databaseUrl || process.platform === 'win32') return []
  const file = join(dataDir, 'secrets.json')
  const mode = statSync(file).mode & 0o777
  if ((mode & 0o077) === 0) return []
  return [`${file} has mode 0${mode.toString(8)}: make it 0600, so that others cannot read it`]
}
