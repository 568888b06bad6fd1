import { ConfigError } from './config-values.ts'
import { prepareDataDir } from './data-dir.ts'
import { hasSecrets, keepSecrets, readSecrets } from './secrets.ts'

type Values = Record<'TOKEN_SECRET' | 'ENCRYPTION_KEY' | 'CAPTCHA_SECRET', string | undefined>

interface Secrets {
  tokenSecret: string
  encryptionKey: string
  captchaSecret: string | undefined
}

/**
 * Returns the secrets of a server on PostgreSQL, all from the settings. Errors: ConfigError when TOKEN_SECRET
 * or ENCRYPTION_KEY is not set.
 */
export function givenSecrets(values: Values): Secrets {
  const { TOKEN_SECRET, ENCRYPTION_KEY, CAPTCHA_SECRET } = values
  if (!TOKEN_SECRET) throw new ConfigError('TOKEN_SECRET must be set when DATABASE_URL is')
  if (!ENCRYPTION_KEY) throw new ConfigError('ENCRYPTION_KEY must be set when DATABASE_URL is')
  return {
    tokenSecret: TOKEN_SECRET,
    encryptionKey: ENCRYPTION_KEY,
    captchaSecret: CAPTCHA_SECRET || undefined,
  }
}

/**
 * Returns the secrets of a server with the embedded database. Settings take precedence over the secrets stored
 * in DATA_DIR. Generates and stores missing secrets. Errors: those of `readConfig`.
 */
export function storedSecrets(values: Values, dataDir: string, restores: boolean): Secrets {
  const hasOwnSecrets = Boolean(values.TOKEN_SECRET && values.ENCRYPTION_KEY)
  if (!restores) prepareDataDir(dataDir, { hasOwnSecrets })
  if (!hasSecrets(dataDir)) keepSecrets(dataDir, {})
  const stored = readSecrets(dataDir)
  const captcha = values.CAPTCHA_SECRET ?? stored.CAPTCHA_SECRET
  return {
    tokenSecret: values.TOKEN_SECRET ?? stored.TOKEN_SECRET,
    encryptionKey: values.ENCRYPTION_KEY ?? stored.ENCRYPTION_KEY,
    captchaSecret: captcha || undefined,
  }
}
