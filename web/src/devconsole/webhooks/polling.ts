import type { Delivery } from '#sdk'

const SOON_MS = 20_000
const OFTEN_MS = 2000
const SELDOM_MS = 15_000

export function pollingOf(deliveries: readonly Delivery[] | undefined, now = Date.now()): number {
  const isNear = deliveries?.some(
    ({ status, next_attempt_at }) =>
      status === 'pending' && Date.parse(next_attempt_at ?? '') - now < SOON_MS,
  )
  return isNear ? OFTEN_MS : SELDOM_MS
}
