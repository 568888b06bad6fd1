import { isPlazaError, PlazaError } from './errors.ts'
import type { Tokens } from './generated.ts'
import { abortable } from './waiting.ts'

/** Session as a `SessionStore` stores it: the tokens, the expiry of the access token, and the user's id. */
export interface SessionTokens {
  /** Access token. Empty if the store keeps no tokens, so that the client must request one. */
  access_token: string
  /** Refresh token. Null when the server stores it in a cookie. */
  refresh_token: string | null
  /** Expiry of the access token in epoch milliseconds. */
  expires_at: number
  /** Id of the signed-in user, if known. */
  user_id?: string | undefined
}

/** Stores a session between page loads or program runs. Several clients can share one store. */
export interface SessionStore {
  load(): SessionTokens | null | Promise<SessionTokens | null>
  /** Stores a session. Null removes it. */
  save(session: SessionTokens | null): void | Promise<void>
  /**
   * Runs `act` under a lock that all clients of this store share. Required with `cookie: true`, because all tabs share
   * one cookie. Rejects when `signal` aborts.
   */
  alone?<T>(act: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

type SignedIn = { tokens: Tokens; user: { id: string } }
type Listener = (session: SessionTokens | null) => void

/** Milliseconds before its expiry at which an access token is renewed, so that it does not expire in transit. */
const MARGIN_MS = 5000

/** Maximum milliseconds that a sign-out waits for another tab's lock. */
const PATIENCE_MS = 2000

/** Default store, which stores the session only in memory. */
export function memorySession(): SessionStore {
  let saved: SessionTokens | null = null
  return {
    load: () => saved,
    save: (session) => {
      saved = session
    },
  }
}

/**
 * Session store for pages with `cookie: true`. localStorage has only the user's id and the access token's expiry, and
 * no tokens. Without localStorage the session ends with the page.
 */
export function cookieSession(key = 'plaza.session'): SessionStore {
  return {
    load: () => {
      const [end, user_id] = (storage()?.getItem(key) ?? '').split(' ')
      const expires_at = Number(end || Number.NaN)
      return Number.isFinite(expires_at)
        ? { access_token: '', refresh_token: null, expires_at, user_id }
        : null
    },
    save: (session) => {
      try {
        if (session)
          storage()?.setItem(key, `${session.expires_at} ${session.user_id ?? ''}`.trim())
        else storage()?.removeItem(key)
      } catch {
        // If the storage is full or blocked, the session ends with the page.
      }
    },
    alone: async (act, signal) => {
      let isBegun = false
      const begin = () => {
        isBegun = true
        return act()
      }
      try {
        const begun = locks()?.request(key, signal ? { signal } : {}, begin)
        if (begun) return await begun
      } catch (error) {
        // Browsers that block storage for a site also reject its locks. `act` then runs without a lock.
        if (isBegun || signal?.aborted) throw error
      }
      return act()
    },
  }
}

interface KeyValues {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

function storage(): KeyValues | undefined {
  try {
    return (globalThis as { localStorage?: KeyValues }).localStorage
  } catch {
    // Some browsers throw when the user blocks storage.
    return undefined
  }
}

interface Locks {
  request<T>(name: string, options: object, act: () => Promise<T>): Promise<T>
}

/** Returns the locks that all pages of the origin share. Undefined where the Web Locks API is missing. */
function locks(): Locks | undefined {
  return (globalThis as { navigator?: { locks?: Locks } }).navigator?.locks
}

/** Session of one client. Concurrent calls that need a new token share one renewal. */
export class SessionKeeper {
  current: SessionTokens | null = null
  /** Number of times that the signed-in user has changed. A call that began before a change is not retried. */
  signIns = 0
  /**
   * Resolves when the session is loaded from the store, and an attempt to get a missing access token has ended. Rejects
   * when the store fails.
   */
  readonly ready: Promise<void>
  readonly #store: SessionStore
  readonly #refresh: (refreshToken: string | null) => Promise<Tokens>
  readonly #listeners = new Set<Listener>()
  #renewal: Promise<string | null> | undefined
  #turn: Promise<unknown> = Promise.resolve()

  constructor(store: SessionStore, refresh: (refreshToken: string | null) => Promise<Tokens>) {
    this.#store = store
    this.#refresh = refresh
    this.ready = this.#load()
    // Prevents an unhandled rejection. `await ready` and calls that need the session still reject.
    this.ready.catch(() => {})
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /** Returns an unexpired access token, or null without a session. Rejects when a needed renewal fails. */
  async token(): Promise<string | null> {
    await this.ready
    const { current } = this
    if (!current || isGood(current)) return current?.access_token ?? null
    return this.renew(current.access_token)
  }

  /**
   * Returns a replacement for the expired token `stale`, or null when the session has ended. Rejects when the server is
   * unreachable or returns an error other than 401. The session then continues.
   */
  async renew(stale: string): Promise<string | null> {
    if (this.current?.access_token !== stale) return this.current?.access_token ?? null
    const { current } = this
    this.#renewal ??= this.#inTurn(() => this.#renew(current)).finally(() => {
      this.#renewal = undefined
    })
    return this.#renewal
  }

  /**
   * Signs in by calling `ask`, stores the new session, and returns the response. On abort, rejects immediately with the
   * signal's reason.
   */
  async enter<T extends Partial<SignedIn>>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
    // Signing in must work even when the store fails.
    const ready = this.ready.catch(() => {})
    await abortable(ready, signal)
    const entered = this.#inTurn(async () => {
      const answer = await ask()
      const { tokens, user } = answer
      // An application for an account opens no session.
      if (!tokens || !user) return answer
      if (this.current?.user_id !== user.id) this.signIns += 1
      await this.#open(tokens, user.id)
      return answer
    }, signal)
    return abortable(entered, signal)
  }

  /**
   * Signs out by calling `ask`, then ends the session. Waits at most 2 seconds for other session changes. Throws
   * ABORTED when another user has signed in during the wait. Also rejects with errors of `ask` and the reason of
   * `signal`.
   */
  leave<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const whose = this.current?.user_id
    const patience = new AbortController()
    const timer = setTimeout(() => patience.abort(), PATIENCE_MS)
    const act = async () => {
      clearTimeout(timer)
      signal.throwIfAborted()
      const userId = (await this.#store.load())?.user_id ?? whose
      if (whose !== undefined && userId !== whose) throw signedInMeanwhile()
      const answer = await ask()
      await this.end()
      return answer
    }
    const inTurn = abortable(this.#inTurn(act, patience.signal), patience.signal)
    const left = inTurn.catch((error: unknown) => {
      if (!patience.signal.aborted) throw error
      return act()
    })
    return abortable(left, signal)
  }

  /**
   * Runs a session change after all earlier changes have ended. Uses the store's lock if the store has one. If changes
   * overlapped, a late response could restore a previous session's cookie.
   */
  #inTurn<T>(act: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const turn = this.#turn.then(() => {
      signal?.throwIfAborted()
      return this.#store.alone?.(act, signal) ?? act()
    })
    this.#turn = turn.catch(() => {})
    return turn
  }

  async #open(tokens: Tokens, user_id: string | undefined): Promise<void> {
    await this.#set({
      access_token: tokens.access_token,
      refresh_token: tokens.refresh_token,
      expires_at: Date.now() + tokens.expires_in * 1000,
      user_id,
    })
  }

  async end(): Promise<void> {
    if (this.current) await this.#set(null)
  }

  async #load(): Promise<void> {
    this.current = await this.#store.load()
    if (this.current?.access_token !== '') return
    // If the renewal fails, the session remains and the next call tries again.
    await this.renew('').catch(() => null)
  }

  async #renew(stale: SessionTokens): Promise<string | null> {
    // A sign-in or sign-out that ended before this renewal began takes precedence.
    if (this.current !== stale) return this.current?.access_token ?? null
    const stored = await this.#store.load()
    const userId = stored?.user_id ?? stale.user_id
    // Another user has signed in to the same store, for example in another tab.
    if (stale.user_id !== undefined && userId !== stale.user_id) this.signIns += 1
    if (stored && stored.access_token !== stale.access_token && isGood(stored)) {
      this.#notifyListeners(stored)
      return stored.access_token
    }
    const tokens = await this.#ask((stored ?? stale).refresh_token)
    // A session change during the request takes precedence.
    if (this.current === stale) await (tokens ? this.#open(tokens, userId) : this.end())
    return this.current?.access_token ?? null
  }

  /** Requests new tokens. Returns null when the server rejects the refresh token. */
  async #ask(refreshToken: string | null): Promise<Tokens | null> {
    try {
      return await this.#refresh(refreshToken)
    } catch (error) {
      if (isPlazaError(error) && error.status === 401) return null
      throw error
    }
  }

  async #set(session: SessionTokens | null): Promise<void> {
    this.#notifyListeners(session)
    await this.#store.save(session)
  }

  #notifyListeners(session: SessionTokens | null): void {
    this.current = session
    for (const listener of this.#listeners) listener(session)
  }
}

export function signedInMeanwhile(): PlazaError {
  return new PlazaError('ABORTED', 'Another user has signed in.')
}

function isGood({ access_token, expires_at }: SessionTokens): boolean {
  return access_token !== '' && Date.now() < expires_at - MARGIN_MS
}
