import type { Db } from '../db/handle.ts'
import { ApiError } from '../errors.ts'
import type { Viewer } from '../http/auth.ts'
import { addressKeys } from './address.ts'
import { isCreator } from './queries.ts'
import { spend } from './rules.ts'

const WINDOW_MS = 60_000
const PER_MINUTE = { anonymous: 30, regular: 60, creator: 120, premium: 200 }

/**
 * Counts a request against the quota of the caller's tier (docs/api.md, Limits). Returns the headers RateLimit
 * and RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers). Errors: 429 RATE_LIMITED, with the same headers.
 */
export async function spendQuota(
  db: Db,
  { viewer, ip }: { viewer: Viewer | undefined; ip: string },
  now: number,
): Promise<Record<string, string>> {
  const tier = await tierOf(db, viewer)
  const subjects = viewer ? [`user:${viewer.id}`] : addressKeys(ip).map((key) => `address:${key}`)
  const max = PER_MINUTE[tier]
  const limits = subjects.map((subject) => ({
    bucket: `quota:${subject}`,
    max,
    windowMs: WINDOW_MS,
  }))
  const figures = (left: number, seconds: number) => ({
    'ratelimit-policy': `"${tier}";q=${max};w=${WINDOW_MS / 1000}`,
    ratelimit: `"${tier}";r=${left};t=${seconds}`,
  })
  try {
    const states = await spend(db, limits, now)
    const state = states.toSorted((left, right) => left.left - right.left)[0]
    if (!state) throw new ApiError('INTERNAL_ERROR')
    return figures(state.left, Math.max(1, Math.ceil((state.resetsAt - now) / 1000)))
  } catch (error) {
    if (!(error instanceof ApiError) || error.retryAfter === undefined) throw error
    const { code, retryAfter } = error
    throw new ApiError(code, { retryAfter, headers: figures(0, retryAfter) })
  }
}

async function tierOf(db: Db, viewer: Viewer | undefined): Promise<keyof typeof PER_MINUTE> {
  if (!viewer) return 'anonymous'
  if (viewer.tier === 'premium') return 'premium'
  return (await isCreator(db, viewer.id)) ? 'creator' : 'regular'
}
