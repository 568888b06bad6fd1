/**
 * The session of the web client: its refresh token stands in a cookie that no script can read. It
 * is asked for by a header that another site's page cannot send (see http/cors.ts), so a cookie that
 * a browser adds by itself does nothing alone.
 */
import { createHmac } from 'node:crypto'
import type { Config } from '../config.ts'
import { ApiError } from '../errors.ts'

/** Only what is below it gets the cookie. */
const PATH = '/api/v1/auth'

type Settings = Pick<Config, 'publicUrl' | 'refreshTokenTtl' | 'tokenSecret'>

/** What is needed of a call. */
interface CookieCall {
  deps: { config: Settings }
  /** Whether it came by TLS. */
  isSecure: boolean
  answerHeaders: Record<string, string>
  header(name: string): string | undefined
}

/** Whether the caller wants its refresh token in a cookie. */
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

/** The answer as it is; for who wants a cookie with the refresh token there and nowhere else. */
export function withCookie<A extends Answer>(call: CookieCall, answer: A): Shown<A> {
  const { tokens, ...others } = answer
  const isWanted = wantsCookie(call)
  if (isWanted) {
    const seconds = call.deps.config.refreshTokenTtl
    call.answerHeaders['set-cookie'] = cookieOf(call, tokens.refresh_token, seconds)
  }
  return { ...others, tokens: { ...tokens, refresh_token: isWanted ? null : tokens.refresh_token } }
}

/**
 * The answer that `trade` gives for the token in the cookie.
 * Errors: UNAUTHORIZED, which takes the cookie away; also where there is none. What `trade` throws.
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

/** A `Set-Cookie` that takes the cookie away. */
export function emptyCookie(call: CookieCall): string {
  return cookieOf(call, '', 0)
}

/** The token in the cookie. Of two cookies of the name neither is taken for the caller's. */
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
 * Ports do not part cookies (RFC 6265, section 8.5): of several Plazas on one machine each has a name
 * of its own, the same in all its processes. With the prefix no page without TLS can plant one
 * (RFC 6265bis, section 4.1.3).
 */
function nameOf(call: CookieCall): string {
  const { tokenSecret } = call.deps.config
  const own = createHmac('sha256', tokenSecret).update('cookie').digest('hex').slice(0, 8)
  return `${isPublicSecure(call) ? '__Secure-' : ''}plaza_refresh_${own}`
}

function isPublicSecure({ deps }: CookieCall): boolean {
  return deps.config.publicUrl?.toLowerCase().startsWith('https:') ?? false
}
