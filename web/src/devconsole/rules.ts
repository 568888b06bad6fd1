/** Valid redirect URIs, states of API keys, and polling of deliveries. */
import type { ApiKey, Delivery } from '#sdk'
import type { texts } from './texts.ts'

const REDIRECT_URIS_MAX = 20
const URI_LENGTH_MAX = 2000
/**
 * Matches the authority of a URI: host, port and credentials. Requires the two slashes, as the server does. URL parsers
 * also accept URIs without them.
 */
const AUTHORITY = /^https?:\/\/([^/?]+)/i
/** Matches hosts for which the server allows `http`. */
const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/

type RedirectRule = keyof (typeof texts)['ko']['redirectRules']

/** A line with an invalid URI. Lines are counted from 1. */
interface BrokenLine {
  line: number
  rule: RedirectRule
}

export function redirectsOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}

/** Returns the first line that the server would reject, by the server's rules. Undefined if all are valid. */
export function brokenLine(text: string): BrokenLine | undefined {
  let count = 0
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim()
    if (!line) continue
    count += 1
    const rule = count > REDIRECT_URIS_MAX ? 'tooMany' : brokenRule(line)
    if (rule) return { line: index + 1, rule }
  }
  return undefined
}

function brokenRule(uri: string): RedirectRule | undefined {
  if (uri.length > URI_LENGTH_MAX) return 'tooLong'
  if (!/^[!-~]+$/.test(uri) || uri.includes('\\')) return 'characters'
  if (uri.includes('*')) return 'wildcard'
  if (uri.includes('#')) return 'fragment'
  if (!URL.canParse(uri)) return 'malformed'
  const { protocol, hostname } = new URL(uri)
  if (protocol !== 'https:' && protocol !== 'http:') return 'insecure'
  const authority = AUTHORITY.exec(uri)?.[1]
  if (authority === undefined) return 'malformed'
  if (authority.includes('@')) return 'credentials'
  return protocol === 'https:' || LOOPBACK.test(hostname) ? undefined : 'insecure'
}

type KeyState = 'active' | 'soon' | 'expired' | 'revoked'

const EXPIRES_SOON_MS = 7 * 24 * 60 * 60_000

/** Returns the state of a key. `soon` means that the key expires within a week. */
export function stateOf(
  { revoked_at, expires_at }: Pick<ApiKey, 'revoked_at' | 'expires_at'>,
  now = Date.now(),
): KeyState {
  if (revoked_at) return 'revoked'
  if (!expires_at) return 'active'
  const left = Date.parse(expires_at) - now
  if (left <= 0) return 'expired'
  return left < EXPIRES_SOON_MS ? 'soon' : 'active'
}

export function hasEnded(state: KeyState): boolean {
  return state === 'expired' || state === 'revoked'
}

const ATTEMPT_SOON_MS = 20_000
const POLL_SOON_MS = 2000
const POLL_IDLE_MS = 15_000

export function pollingOf(deliveries: readonly Delivery[] | undefined, now = Date.now()): number {
  const isNear = deliveries?.some(
    ({ status, next_attempt_at }) =>
      status === 'pending' && Date.parse(next_attempt_at ?? '') - now < ATTEMPT_SOON_MS,
  )
  return isNear ? POLL_SOON_MS : POLL_IDLE_MS
}
