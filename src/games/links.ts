/**
 * Signed URLs of the games origin. A token names what it is for, which game, and its end; whoever
 * holds it may use it, as often as they like, until then. Every process with the same TOKEN_SECRET
 * makes and takes the same ones, and nothing about them is stored.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Config } from '../config.ts'
import { ApiError } from '../errors.ts'

/**
 * - `launch`: begins a play.
 * - `play`: loads the game while it runs, its later levels too.
 * - `stream`, `swf`: the main file as it was uploaded.
 */
export type Purpose = 'launch' | 'play' | 'stream' | 'swf'

/** Milliseconds a running game may go on loading files. */
const PLAY_MS = 24 * 60 * 60 * 1000
/** A game's id, when the token ends (epoch milliseconds in base 36), and the proof of both. */
const TOKEN = /^(cnt_[0-9a-z]{26})\.([0-9a-z]{1,9})\.([\w-]{43})$/

interface Link {
  url: string
  /** Epoch milliseconds. */
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

  /** To be told once the games origin listens; links are made after that. */
  listensAt(port: number): void {
    this.#port = port
  }

  /**
   * A URL for people. `host` is what the caller asked for (the `Host` of its request): it names the
   * server only where that listens on all addresses and no setting tells its name.
   */
  link(purpose: Exclude<Purpose, 'play'>, gameId: string, now: number, host: string): Link {
    const expiresAt = now + this.#config.signedUrlTtl * 1000
    return {
      url: `${this.origin(host)}/${purpose}/${this.#sign(purpose, gameId, expiresAt)}`,
      expiresAt,
    }
  }

  /** A launch URL for a program on this machine. */
  localLaunch(gameId: string, now: number): { url: string; origin: string } {
    const { host, signedUrlTtl } = this.#config
    const origin = `http://${bracketed(LOOPBACKS.get(host) ?? host)}:${this.#port}`
    const token = this.#sign('launch', gameId, now + signedUrlTtl * 1000)
    return { url: `${origin}/launch/${token}`, origin }
  }

  /** The path below which a game that was launched now finds its files. */
  playPath(gameId: string, now: number): string {
    return `/play/${this.#sign('play', gameId, now + PLAY_MS)}`
  }

  /** The game that a token is for. Errors: 403 FORBIDDEN: altered, over, or for something else. */
  gameOf(purpose: Purpose, token: string, now: number): string {
    const [, gameId = '', end = '', proof = ''] = TOKEN.exec(token) ?? []
    // Texts are compared, not the bytes they stand for: several texts can stand for the same bytes.
    const expected = Buffer.from(this.#proof(purpose, gameId, end))
    const given = Buffer.from(proof)
    const isGood = given.length === expected.length && timingSafeEqual(given, expected)
    if (!isGood || now >= parseInt(end, 36)) throw new ApiError('FORBIDDEN')
    return gameId
  }

  /** Where people reach the games, as a browser writes it; `host` as `link` has it. */
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

/** Addresses that mean all of a machine's, and how a program on it reaches them. */
const LOOPBACKS = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
])

function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}
