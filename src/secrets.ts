import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

/** Minimum characters of a secret. */
export const SECRET_MIN = 32

export type StoredSecrets = Record<'TOKEN_SECRET' | 'ENCRYPTION_KEY' | 'CAPTCHA_SECRET', string>

function fileIn(dataDir: string): string {
  return join(dataDir, 'secrets.json')
}

export function hasSecrets(dataDir: string): boolean {
  return existsSync(fileIn(dataDir))
}

/**
 * Reads the secrets in the data folder. Errors: an Error with one line that names the file and, if a secret is
 * invalid, that secret.
 */
export function readSecrets(dataDir: string): StoredSecrets {
  const file = fileIn(dataDir)
  try {
    const stored: Partial<StoredSecrets> = JSON.parse(readFileSync(file, 'utf8'))
    const { TOKEN_SECRET = '', ENCRYPTION_KEY = '', CAPTCHA_SECRET = '' } = stored
    const secrets = { TOKEN_SECRET, ENCRYPTION_KEY, CAPTCHA_SECRET }
    for (const [name, value] of Object.entries(secrets)) {
      if (typeof value === 'string' && value.length >= SECRET_MIN) continue
      throw new Error(`${name} must have at least ${SECRET_MIN} characters`)
    }
    if (/^[0-9a-f]{64}$/i.test(ENCRYPTION_KEY)) return secrets
    throw new Error('ENCRYPTION_KEY must have 64 hex digits')
  } catch (error) {
    throw new Error(`${file} cannot be used: ${(error as Error).message}`, { cause: error })
  }
}

/**
 * Creates the file of secrets, unless it exists. Generates the secrets that are not given. Errors: an Error
 * that names the folder.
 */
export function keepSecrets(dataDir: string, given: Partial<StoredSecrets>): void {
  const file = fileIn(dataDir)
  const make = () => randomBytes(32).toString('hex')
  const made: StoredSecrets = {
    TOKEN_SECRET: make(),
    ENCRYPTION_KEY: make(),
    CAPTCHA_SECRET: make(),
    ...given,
  }
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    // Links a complete draft to `file`: creating a link is atomic and fails if the file exists. Processes that start
    // simultaneously therefore read the same secrets.
    const draft = `${file}.${process.pid}`
    writeFileSync(draft, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600, flush: true })
    chmodSync(draft, 0o600)
    try {
      linkSync(draft, file)
    } finally {
      rmSync(draft)
    }
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST') return
    throw new Error(`DATA_DIR ${dataDir} cannot be used: ${(error as Error).message}`, {
      cause: error,
    })
  }
}
