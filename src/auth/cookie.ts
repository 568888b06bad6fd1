/**
 * Refresh token of the web client in an HttpOnly cookie. Requests must also send the header `X-Session-Cookie`,
 * which pages of other origins cannot set (see http/cors.ts). The cookie alone therefore authorises nothing.
 */
import { createHmac } from 'node:crypto'
import type { Config } from '../config.ts'
import { ApiError } from '../errors.ts'

/** Browsers send the cookie only to this path and the paths below it. */
const PATH = '/api/v1/auth'

export type CookieSettings = Pick<Config, 'publicUrl' | 'refreshTokenTtl' | 'tokenSecret'>

interface CookieCall {
  deps: { config: CookieSettings }
  isSecure: boolean
  answerHeaders: Record<string, string>
  header(name: string): string | undefined
}

export function wantsCookie(call: CookieCall): boolean {
  return call.header('x-session-cookie') === '1'
}

interface Tokens<T> {
  access_token: string
  refresh_token: T
  token_type: 'Bearer'
  expires_in: number
}
interface Answer {
  tokens: Tokens<string>
}
type Shown<A extends Answer> = Omit<A, 'tokens'> & { tokens: Tokens<string | null> }

/**
 * If the client asked for a cookie, moves the refresh token from the data to a cookie and sets the token in the data to
 * null. Otherwise returns the data unchanged.
 */
export function withCookie<A extends Answer>(call: CookieCall, answer: A): Shown<A> {
  const { tokens, ...others } = answer
  const usesCookie = wantsCookie(call)
  if (usesCookie) {
    const seconds = call.deps.config.refreshTokenTtl
    call.answerHeaders['set-cookie'] = cookieOf(call, tokens.refresh_token, seconds)
  }
  return {
    ...others,
    tokens: { ...tokens, refresh_token: usesCookie ? null : tokens.refresh_token },
  }
}

/**
 * Calls `trade` with the refresh token from the cookie. Returns the result and moves the new token into the cookie, as
 * `withCookie` does.
 *
 * Errors: UNAUTHORIZED when the cookie is missing or invalid, with a header that deletes the cookie; other errors of
 * `trade`.
 */
export async function tradeCookie<A extends Answer>(
  call: CookieCall,
  trade: (token: string) => Promise<A>,
): Promise<Shown<A>> {
  const token = cookieToken(call)
  const refusal = new ApiError('UNAUTHORIZED', { headers: { 'set-cookie': emptyCookie(call) } })
  if (token === undefined) throw refusal
  try {
    return withCookie(call, await trade(token))
  } catch (error) {
    throw error instanceof ApiError && error.code === 'UNAUTHORIZED' ? refusal : error
  }
}

export function emptyCookie(call: CookieCall): string {
  return cookieOf(call, '', 0)
}

/**
 * Returns the token from the cookie, or undefined. Also returns undefined for two cookies of this name, because they
 * are ambiguous.
 */
function cookieToken(call: CookieCall): string | undefined {
  const start = `${nameOf(call)}=`
  const found = (call.header('cookie') ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
  return found.length === 1 ? found[0]?.slice(start.length) || undefined : undefined
}

function cookieOf(call: CookieCall, value: string, seconds: number): string {
  const secure = isPublicSecure(call) || call.isSecure ? '; Secure' : ''
  const age = `Max-Age=${seconds}`
  return `${nameOf(call)}=${value}; Path=${PATH}; ${age}; HttpOnly; SameSite=Strict${secure}`
}

/**
 * Returns the name of the cookie. The name depends on the token secret, because browsers send cookies to every port of
 * a host (RFC 6265, section 8.5). Installations on one host therefore use different cookies. The prefix `__Secure-`
 * stops pages without TLS from setting the cookie (RFC 6265bis, section 4.1.3).
 */
function nameOf(call: CookieCall): string {
  const { tokenSecret } = call.deps.config
  const own = createHmac('sha256', tokenSecret).update('cookie').digest('hex').slice(0, 8)
  return `${isPublicSecure(call) ? '__Secure-' : ''}plaza_refresh_${own}`
}

function isPublicSecure({ deps }: CookieCall): boolean {
  return deps.config.publicUrl?.toLowerCase().startsWith('https:') ?? false
}
