import { isPlazaError, PlazaError } from './errors.ts'
import type { Tokens } from './generated.ts'
import { abortable } from './waiting.ts'

/** What keeps somebody signed in. */
export interface SessionTokens {
  /** Empty where it must be fetched first. */
  access_token: string
  /** Null where the server keeps it in a cookie. */
  refresh_token: string | null
  /** End of the access token, in epoch milliseconds. */
  expires_at: number
  /** Whose it is, where that is known. */
  user_id?: string | undefined
}

/** Where a session outlives the page or the process. */
export interface SessionStore {
  load(): SessionTokens | null | Promise<SessionTokens | null>
  save(session: SessionTokens | null): void | Promise<void>
  /** Runs `act` while no other client of the same store runs one: each may change a cookie they share. */
  alone?<T>(act: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

type SignedIn = { tokens: Tokens; user: { id: string } }
type Listener = (session: SessionTokens | null) => void

/** A token is not used in its last moments: it could end on the way. */
const MARGIN_MS = 5000

/** Longer than this nobody stays signed in because of another tab that has its turn and does nothing. */
const PATIENCE_MS = 2000

/** Keeps the session for as long as the client lives. */
export function memorySession(): SessionStore {
  let kept: SessionTokens | null = null
  return {
    load: () => kept,
    save: (session) => {
      kept = session
    },
  }
}

/**
 * For pages with `cookie: true`: remembers in localStorage that there is a session, whose, and when its
 * access token ends, and no token. Without localStorage it remembers nothing.
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
        // Full: the session lasts as long as the page.
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
        // Where the browser keeps nothing of this site it refuses the lock, too.
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
    // Some browsers throw where the person forbids storage.
    return undefined
  }
}

interface Locks {
  request<T>(name: string, options: object, act: () => Promise<T>): Promise<T>
}

/** Of all pages of the origin (Web Locks API); a page without TLS has none. */
function locks(): Locks | undefined {
  return (globalThis as { navigator?: { locks?: Locks } }).navigator?.locks
}

/** Holds the session of a client, and renews it for all calls at once. */
export class SessionKeeper {
  current: SessionTokens | null = null
  /** How often somebody else signed in: a call that was begun before is not made again as who came after. */
  signIns = 0
  /** The store was loaded, and where it has only a marker the session fetched. */
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
    // Where it cannot be loaded, whoever awaits it is told; a program that does not is not ended by it.
    this.ready.catch(() => {})
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /** The access token to call with; null without a session. Rejects where it must be renewed and cannot be now. */
  async token(): Promise<string | null> {
    await this.ready
    const { current } = this
    if (!current || isGood(current)) return current?.access_token ?? null
    return this.renew(current.access_token)
  }

  /**
   * A token in place of one that is not good any more; null once the session is over. Calls made
   * meanwhile share one renewal. Rejects where the server cannot be asked, which ends nothing.
   */
  async renew(stale: string): Promise<string | null> {
    if (this.current?.access_token !== stale) return this.current?.access_token ?? null
    const { current } = this
    this.#renewal ??= this.#inTurn(() => this.#renew(current)).finally(() => {
      this.#renewal = undefined
    })
    return this.#renewal
  }

  /** Begins the session that `ask` opens. Rejects with what ends `signal`, be it before its turn. */
  async enter<T extends SignedIn>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
    // A store that fails keeps nobody from signing in.
    const ready = this.ready.catch(() => {})
    await abortable(ready, signal)
    const entered = this.#inTurn(async () => {
      const answer = await ask()
      const { tokens, user } = answer
      if (this.current?.user_id !== user.id) this.signIns += 1
      await this.#open(tokens, user.id)
      return answer
    }, signal)
    return abortable(entered, signal)
  }

  /**
   * Ends the session by `ask`. Where its turn does not come, it goes without one. Errors: ABORTED where
   * somebody else signed in before: the cookie is theirs. What `ask` throws, and what ends `signal`.
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
   * Renewals, sign-ins and sign-outs come one after another: where each changes a cookie, the one whose
   * answer comes last would hold, and that may be of whose session it was before.
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
    // Without the server there is still a session: the next call asks again.
    await this.renew('').catch(() => null)
  }

  async #renew(stale: SessionTokens): Promise<string | null> {
    // Who signed in or out while this waited for its turn holds.
    if (this.current !== stale) return this.current?.access_token ?? null
    const stored = await this.#store.load()
    const userId = stored?.user_id ?? stale.user_id
    // Somebody else signed in where the store is shared, and the cookie with it.
    if (stale.user_id !== undefined && userId !== stale.user_id) this.signIns += 1
    if (stored && stored.access_token !== stale.access_token && isGood(stored)) {
      this.#tell(stored)
      return stored.access_token
    }
    const tokens = await this.#ask((stored ?? stale).refresh_token)
    // Where somebody signed in or out meanwhile, that holds.
    if (this.current === stale) await (tokens ? this.#open(tokens, userId) : this.end())
    return this.current?.access_token ?? null
  }

  /** Null where the server refuses. */
  async #ask(refreshToken: string | null): Promise<Tokens | null> {
    try {
      return await this.#refresh(refreshToken)
    } catch (error) {
      if (isPlazaError(error) && error.status === 401) return null
      throw error
    }
  }

  async #set(session: SessionTokens | null): Promise<void> {
    this.#tell(session)
    await this.#store.save(session)
  }

  #tell(session: SessionTokens | null): void {
    this.current = session
    for (const listener of this.#listeners) listener(session)
  }
}

export function signedInMeanwhile(): PlazaError {
  return new PlazaError('ABORTED', 'Somebody else has signed in meanwhile.')
}

function isGood({ access_token, expires_at }: SessionTokens): boolean {
  return access_token !== '' && Date.now() < expires_at - MARGIN_MS
}
