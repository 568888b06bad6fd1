import type { ApiKey } from '#sdk'

type KeyState = 'active' | 'soon' | 'expired' | 'revoked'

const SOON_MS = 7 * 24 * 60 * 60_000

/** Returns the state of a key. `soon` means that the key expires within a week. */
export function stateOf(
  { revoked_at, expires_at }: Pick<ApiKey, 'revoked_at' | 'expires_at'>,
  now = Date.now(),
): KeyState {
  if (revoked_at) return 'revoked'
  if (!expires_at) return 'active'
  const left = Date.parse(expires_at) - now
  if (left <= 0) return 'expired'
  return left < SOON_MS ? 'soon' : 'active'
}

export function hasEnded(state: KeyState): boolean {
  return state === 'expired' || state === 'revoked'
}
