import { randomBytes } from 'node:crypto'
import type { Clock } from '../src/clock.ts'
import { addUser, newUser } from '../src/auth/rules.ts'
import type { Role } from '../src/db/tables.ts'
import type { Deps } from '../src/deps.ts'
import { openSession } from '../src/sessions/rules.ts'

/** Response data. It is untyped, because the tests assert its shape. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Loose = any

export interface Answer {
  status: number
  headers: Headers
  text: string
  json: Loose
  /** `data` of a success response, else null. */
  data: Loose
  error: { code: string; message: string; details?: { field: string; message: string }[] } | null
}

interface RequestOptions {
  headers?: Record<string, string>
  raw?: string | Buffer
}

export interface Anyone {
  request(method: string, path: string, json?: unknown, options?: RequestOptions): Promise<Answer>
  get(path: string, options?: RequestOptions): Promise<Answer>
  post(path: string, json?: unknown, options?: RequestOptions): Promise<Answer>
  put(path: string, json?: unknown, options?: RequestOptions): Promise<Answer>
  patch(path: string, json?: unknown, options?: RequestOptions): Promise<Answer>
  delete(path: string, options?: RequestOptions): Promise<Answer>
}

export interface Actor extends Anyone {
  id: string
  handle: string
  email: string
  password: string
  token: string
  refreshToken: string
  at(url: string): Anyone
}

export const PASSWORD = 'correct horse battery 9'

/**
 * Returns a client that sends these headers with every request. It adds /api/v1 to every path that does not
 * start with /api/.
 */
export function anyone(url: string, base: Record<string, string> = {}): Anyone {
  const request: Anyone['request'] = async (method, path, json, options = {}) => {
    const body = options.raw ?? (json === undefined ? undefined : JSON.stringify(json))
    const response = await fetch(url + (path.startsWith('/api/') ? path : `/api/v1${path}`), {
      method,
      redirect: 'manual',
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...base,
        ...options.headers,
      },
      ...(body !== undefined && { body: body as string }),
    })
    const text = await response.text()
    const parsed = parse(text)
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: parsed,
      data: parsed?.data ?? null,
      error: parsed?.error ?? null,
    }
  }
  return {
    request,
    get: (path, options) => request('GET', path, undefined, options),
    post: (path, json, options) => request('POST', path, json, options),
    put: (path, json, options) => request('PUT', path, json, options),
    patch: (path, json, options) => request('PATCH', path, json, options),
    delete: (path, options) => request('DELETE', path, undefined, options),
  }
}
function parse(text: string): Loose {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

let passwordHash: Promise<string> | undefined

/**
 * Creates a user with a session directly in the database, because the API would require a captcha. All
 * users share one password hash, because hashing is slow.
 */
export async function makeActor(
  url: string,
  { db, passwords, config }: Deps,
  clock: Clock,
  role: Role,
  overrides: { handle?: string; display_name?: string } = {},
): Promise<Actor> {
  const handle = overrides.handle ?? `u${randomBytes(6).toString('hex')}`
  const email = `${handle}@example.test`
  passwordHash ??= passwords.hash(PASSWORD)
  const display_name = overrides.display_name ?? handle
  const user = newUser(
    { handle, email, display_name, password_hash: await passwordHash, role },
    clock.now(),
  )
  const tokens = await db.transaction(async (tx) => {
    await addUser(tx, user)
    return openSession(tx, config, user.id, { ip: '127.0.0.1', userAgent: 'test' }, clock.now())
  })
  const authorization = { authorization: `Bearer ${tokens.access_token}` }
  return {
    id: user.id,
    handle,
    email,
    password: PASSWORD,
    token: tokens.access_token,
    refreshToken: tokens.refresh_token,
    at: (serverUrl) => anyone(serverUrl, authorization),
    ...anyone(url, authorization),
  }
}
