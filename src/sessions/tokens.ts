/**
 * Opaque session tokens: HMACs of the session's random seed and generation, keyed with TOKEN_SECRET. Deriving a token
 * requires both the database and the secret. A generation always has the same tokens, so a repeated refresh can return
 * them again (for 30 seconds). Later use of a refresh token of an older generation ends its session.
 */
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { isId } from '../db/ids.ts'

const ACCESS = 'pla_'
const REFRESH = 'plr_'
/** Matches a token: its kind, 26 characters of the session id, 6 of the generation and 43 of the MAC. */
const TOKEN = /^(pla|plr)_([0-9a-z]{26})([0-9a-z]{6})([A-Za-z0-9_-]{43})$/

interface ParsedToken {
  sessionId: string
  generation: number
}

export function newSeed(): string {
  return randomBytes(24).toString('base64url')
}

interface TokenSource {
  sessionId: string
  seed: string
  generation: number
}

export function tokensOf(secret: string, source: TokenSource) {
  return { access: sign(secret, ACCESS, source), refresh: sign(secret, REFRESH, source) }
}

function sign(secret: string, kind: string, { sessionId, seed, generation }: TokenSource): string {
  const mac = createHmac('sha256', secret)
    .update(`${kind}${seed}.${generation}`)
    .digest('base64url')
  return `${kind}${sessionId.slice(4)}${generation.toString(36).padStart(6, '0')}${mac}`
}

/**
 * Returns the session id in an access token, or undefined for a text in another format. Does not verify the
 * token: the caller must compare its hash.
 */
export function sessionOfAccessToken(token: string): string | undefined {
  return parse(token, 'pla')?.sessionId
}

/**
 * Returns the session id and the generation in a refresh token, or undefined for a text in another format. Does
 * not verify the token: the caller must check its MAC.
 */
export function parseRefreshToken(token: string): ParsedToken | undefined {
  return parse(token, 'plr')
}

function parse(token: string, kind: string): ParsedToken | undefined {
  const match = TOKEN.exec(token)
  const sessionId = `ses_${match?.[2]}`
  if (!match || match[1] !== kind || !isId('ses', sessionId)) return undefined
  return { sessionId, generation: Number.parseInt(match[3] as string, 36) }
}

export function isRefreshToken(secret: string, token: string, source: TokenSource): boolean {
  const given = sign(secret, REFRESH, source)
  return token.length === given.length && timingSafeEqual(Buffer.from(token), Buffer.from(given))
}

export function accessHash(token: string): string {
  return hash('sha256', token, 'base64url')
}
