/**
 * Creates links to games. The token in a link is valid for one purpose and one game until it expires. Tokens
 * are signed with TOKEN_SECRET and not stored.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Config } from '../config.ts'
import { ApiError } from '../errors.ts'

/**
 * - `launch`: starts a play session.
 * - `play`: loads the files of a running game, including later levels.
 * - `stream`, `swf`: loads the main file as it was uploaded.
 */
export type Purpose = 'launch' | 'play' | 'stream' | 'swf'

/** Milliseconds for which a running game may load files. */
const PLAY_MS = 24 * 60 * 60 * 1000
/** Matches the game's id, the expiry (epoch milliseconds in base 36), and the signature. */
const TOKEN = /^(cnt_[0-9a-z]{26})\.([0-9a-z]{1,9})\.([\w-]{43})$/

interface Link {
  url: string
  expiresAt: number
}

type Settings = Pick<Config, 'tokenSecret' | 'signedUrlTtl' | 'gamesUrl' | 'publicUrl' | 'host'>

export class GameLinks {
  readonly #key: Buffer
  readonly #config: Settings
  #port = 0

  constructor(config: Settings) {
    this.#config = config
    this.#key = Buffer.from(hkdfSync('sha256', config.tokenSecret, '', 'plaza game links', 32))
  }

  /** Sets the port of the games origin. Must be called before links are created. */
  listensAt(port: number): void {
    this.#port = port
  }

  /**
   * Returns a link to a game and its expiry (epoch milliseconds). `host` is the `Host` header, for servers that
   * listen on all addresses without GAMES_URL and PUBLIC_URL.
   */
  link(purpose: Exclude<Purpose, 'play'>, gameId: string, now: number, host: string): Link {
    const expiresAt = now + this.#config.signedUrlTtl * 1000
    return {
      url: `${this.origin(host)}/${purpose}/${this.#sign(purpose, gameId, expiresAt)}`,
      expiresAt,
    }
  }

  /** Returns a launch URL and its origin, for a program on this machine such as the screenshot browser. */
  localLaunch(gameId: string, now: number): { url: string; origin: string } {
    const { host, signedUrlTtl } = this.#config
    const origin = `http://${bracketed(LOOPBACKS.get(host) ?? host)}:${this.#port}`
    const token = this.#sign('launch', gameId, now + signedUrlTtl * 1000)
    return { url: `${origin}/launch/${token}`, origin }
  }

  playPath(gameId: string, now: number): string {
    return `/play/${this.#sign('play', gameId, now + PLAY_MS)}`
  }

  /**
   * Returns the id of the game that a token is valid for. Errors: 403 FORBIDDEN when the token is altered,
   * expired, or for another purpose.
   */
  gameOf(purpose: Purpose, token: string, now: number): string {
    const [, gameId = '', end = '', proof = ''] = TOKEN.exec(token) ?? []
    // Compares the base64 texts, because different texts can decode to the same bytes.
    const expected = Buffer.from(this.#proof(purpose, gameId, end))
    const given = Buffer.from(proof)
    const isGood = given.length === expected.length && timingSafeEqual(given, expected)
    if (!isGood || now >= parseInt(end, 36)) throw new ApiError('FORBIDDEN')
    return gameId
  }

  /** Returns the origin that serves games. `host` has the same meaning as in `link`. */
  origin(host: string): string {
    const { gamesUrl, publicUrl } = this.#config
    if (gamesUrl) return gamesUrl
    if (!publicUrl) return `http://${bracketed(this.#hostname(host))}:${this.#port}`
    const { protocol, hostname } = new URL(publicUrl)
    return `${protocol}//${hostname}:${this.#port}`
  }

  #hostname(host: string): string {
    const listening = this.#config.host
    const loopback = LOOPBACKS.get(listening)
    if (!loopback) return listening
    return URL.parse(`http://${host}`)?.hostname || loopback
  }

  #sign(purpose: Purpose, gameId: string, expiresAt: number): string {
    const end = expiresAt.toString(36)
    return `${gameId}.${end}.${this.#proof(purpose, gameId, end)}`
  }

  #proof(purpose: Purpose, gameId: string, end: string): string {
    return createHmac('sha256', this.#key)
      .update(`${purpose}\n${gameId}\n${end}`)
      .digest('base64url')
  }
}

/** Loopback address for each address that means all network interfaces. */
const LOOPBACKS = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
])

function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}
