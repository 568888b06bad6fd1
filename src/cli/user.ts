import type { Static } from 'typebox'
import { createResetLinkByHandle } from '../admin/reset-link.ts'
import { promote } from '../admin/rules.ts'
import { Passwords } from '../factors/passwords.ts'
import { addUser, newUser, requireFree } from '../auth/rules.ts'
import { NewAccount } from '../auth/schema.ts'
import { iso } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Handle } from '../db/handle.ts'
import { eraseUserByOperator } from '../erasure/deletions.ts'
import type { UserRow } from '../db/tables.ts'
import { ApiError, type ErrorCode, type Problem } from '../errors.ts'
import { bodyReader } from '../http/body.ts'
import { message } from '../messages/language.ts'
import { updateTier } from '../users/managed.ts'
import { keyOf } from '../users/schema.ts'
import { readArgs, UsageError } from './args.ts'
import { withDatabase } from './database.ts'
import { readPassword } from './password.ts'

const readAccount = bodyReader(NewAccount)

export async function createUser(args: string[]): Promise<void> {
  const { values } = readArgs(args, {
    options: {
      handle: { type: 'string' },
      email: { type: 'string' },
      password: { type: 'string' },
      'display-name': { type: 'string' },
      admin: { type: 'boolean', default: false },
    },
  })
  for (const name of ['handle', 'email'] as const) {
    if (values[name] === undefined) throw new UsageError(`--${name} is missing`)
  }
  const { handle, email, 'display-name': display_name, admin } = values
  const password = await readPassword(values.password)
  const text = JSON.stringify({ handle, email, password, display_name })
  const account = clearly(() => readAccount(text))
  const user = await withDatabase(({ db, config }) =>
    openAccount(db, config, account, admin ? 'admin' : 'user').catch((error) => {
      throw inWords(error, account)
    }),
  )
  const role = user.role === 'admin' ? 'administrator ' : ''
  console.log(`created ${role}${user.handle} (${user.id})`)
}

/** Creates an account with a verified email. Errors: those of `requireFree`. */
export async function openAccount(
  db: Handle,
  settings: Pick<Config, 'tokenSecret'>,
  { handle: name, email, password, display_name }: Static<typeof NewAccount>,
  role: UserRow['role'],
  now = Date.now(),
): Promise<UserRow> {
  const handle = keyOf(name)
  const emailKey = keyOf(email)
  await requireFree(db, settings, { handle, emailKey }, now)
  const password_hash = await new Passwords().hash(password)
  const named = { handle, email, display_name: display_name ?? handle, password_hash, role }
  const user = newUser({ ...named, email_verified: 1 }, now)
  await db.transaction(async (tx) => {
    if (await addUser(tx, user)) return
    await requireFree(tx, settings, { handle, emailKey }, now)
    throw new ApiError('HANDLE_TAKEN')
  })
  return user
}

export async function promoteUser(args: string[]): Promise<void> {
  const [handle = ''] = readArgs(args, { options: {}, words: ['HANDLE'] }).words
  const changed = await withDatabase(({ db }) =>
    promote(db, handle, Date.now()).catch((error) => {
      throw inWords(error, { handle })
    }),
  )
  console.log(`${handle} is ${changed ? 'an administrator now' : 'an administrator already'}`)
}

export async function resetUser(args: string[]): Promise<void> {
  const { words, values } = readArgs(args, {
    options: { 'second-factor': { type: 'boolean', default: false } },
    words: ['HANDLE'],
  })
  const [handle = ''] = words
  const options = { removesFactors: values['second-factor'] }
  const { url, expiresAt } = await withDatabase(({ db, config }) =>
    createResetLinkByHandle(db, config, handle, options, Date.now()).catch((error) => {
      throw inWords(error, { handle })
    }),
  )
  console.log(`${url}\nThe link works once, until ${iso(expiresAt)}.`)
}

export async function setTier(args: string[]): Promise<void> {
  const [handle = '', tier] = readArgs(args, { options: {}, words: ['HANDLE', 'TIER'] }).words
  if (tier !== 'regular' && tier !== 'premium') {
    throw new UsageError('TIER must be regular or premium')
  }
  await withDatabase(async ({ db }) => {
    if (await updateTier(db, keyOf(handle), tier)) return
    throw inWords(new ApiError('USER_NOT_FOUND'), { handle })
  })
  console.log(`${handle} has the tier ${tier} now`)
}

export async function eraseUser(args: string[]): Promise<void> {
  const { words, values } = readArgs(args, {
    options: {
      'keep-contents': { type: 'boolean', default: false },
      'keep-texts': { type: 'boolean', default: false },
    },
    words: ['HANDLE'],
  })
  const [handle = ''] = words
  const choices = {
    contents: values['keep-contents'] ? 'keep' : 'erase',
    texts: values['keep-texts'] ? 'keep' : 'erase',
  } as const
  const id = await withDatabase(({ db, config }) =>
    eraseUserByOperator(db, config, handle, choices, Date.now()).catch((error) => {
      throw inWords(error, { handle })
    }),
  )
  console.log(`erased ${handle} (${id}): a server or worker deletes the remaining rows and files`)
}

function clearly<T>(action: () => T): T {
  try {
    return action()
  } catch (error) {
    throw inWords(error, {})
  }
}

function inWords(error: unknown, { handle, email }: { handle?: string; email?: string }): unknown {
  if (!(error instanceof ApiError)) return error
  const lines: Partial<Record<ErrorCode, string>> = {
    HANDLE_TAKEN: `the handle ${handle} is taken`,
    EMAIL_TAKEN: `the email ${email} is taken`,
    LEGACY_ACCOUNT_CONFLICT: `an account of the former service has the handle ${handle} or the email ${email}`,
    USER_NOT_FOUND: `no user has the handle ${handle}`,
  }
  const problems = error.problems?.map(inWordsOf).join(' ')
  return new Error(problems ?? lines[error.code] ?? message('en', `error.${error.code}`))
}

function inWordsOf({ field, key, params }: Problem): string {
  return `--${field.replace('_', '-')}: ${message('en', key, params)}`
}
