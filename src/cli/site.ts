import { ApiError } from '../errors.ts'
import { bodyReader } from '../http/body.ts'
import { message } from '../messages/language.ts'
import { findSite } from '../settings/queries.ts'
import { updateSiteSettings } from '../site/rules.ts'
import { SettingsInput } from '../site/schema.ts'
import { DEFAULTS } from '../site-settings.ts'
import { readArgs, UsageError } from './args.ts'
import { withDatabase } from './database.ts'

const OPERATOR = { actorId: null, requestId: null, reason: null }
const NUMBERS = ['invites_per_user', 'default_quota_bytes']

/**
 * Runs `plaza site set`. The value `null` removes a contact or the accent, and makes `default_quota_bytes` unlimited.
 * Other settings reject `null`.
 */
export async function setSiteSetting(args: string[]): Promise<void> {
  const [key = '', text = ''] = readArgs(args, { options: {}, words: ['KEY', 'VALUE'] }).words
  if (!Object.hasOwn(DEFAULTS, key)) {
    throw new UsageError(`KEY must be one of ${Object.keys(DEFAULTS).join(', ')}`)
  }
  const isNumber = NUMBERS.includes(key) && /^-?\d+$/.test(text)
  const value = text === 'null' ? null : isNumber ? Number(text) : text
  await withDatabase(async ({ db, config }) => {
    const { revision } = await findSite(db)
    try {
      const input = bodyReader(SettingsInput)(JSON.stringify({ revision, [key]: value }))
      await updateSiteSettings(db, config, OPERATOR, input, Date.now())
    } catch (error) {
      throw inWords(error, key)
    }
  })
  console.log(`${key} is ${JSON.stringify(value)} now`)
}

function inWords(error: unknown, key: string): unknown {
  if (!(error instanceof ApiError)) return error
  const [problem] = error.problems ?? []
  const reason = problem
    ? message('en', problem.key, problem.params)
    : message('en', `error.${error.code}`)
  return new Error(`${key}: ${reason}`)
}
