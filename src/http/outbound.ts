/**
 * The one way out: whatever this server sends to an address that somebody gave it leaves through
 * here, and reaches no address that is not permitted.
 */
import { once } from 'node:events'
import { isIP, type Socket, connect as connectTcp } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { callbackify } from 'node:util'
import type { buildConnector, Client } from 'undici'
import { type Lookup, lookupAsSystem, lookupInDns } from './names.ts'
import { failureOf, type Failure, type Outcome, secondsToWait, textOf } from './outcome.ts'
import { isGlobalUnicast } from './targets.ts'

/** Bytes of an answer's body that are read; then the connection is dropped. */
const BODY_LIMIT = 2048
/** Bytes of an answer's headers; more breaks it off. */
const HEADERS_LIMIT = 16_384
/** Bytes of an answer with everything around its body; more breaks it off. */
const ANSWER_LIMIT = 262_144
/** Milliseconds one address of a name gets before the next one is tried. */
const ADDRESS_TIMEOUT_MS = 1000

interface Options {
  /** Which addresses may be reached; by default those of the public Internet. */
  permits?: (address: string) => boolean
  /**
   * By default as name servers know a name; where it is said which addresses may be reached, as the
   * system does, which may know names of a network of its own.
   */
  lookup?: Lookup
  /** For all of it together: name, connection, TLS, headers and body. */
  timeoutMs?: number
}

/** A request under way. */
interface Attempt {
  /** What it means should it break now. */
  ifBroken: Failure
  signal: AbortSignal
}

const NOTHING_YET: Outcome = {
  status: null,
  body: '',
  error: null,
  durationMs: 0,
  retryAfter: null,
}

/** Sends each request once, on a connection of its own; follows no redirect, knows no proxy. */
export class Outbound {
  readonly #permits: (address: string) => boolean
  readonly #lookup: Lookup
  readonly #timeoutMs: number
  readonly #stops = new Set<() => void>()
  #closed = false

  constructor({ permits, lookup, timeoutMs }: Options = {}) {
    this.#permits = permits ?? isGlobalUnicast
    this.#lookup = lookup ?? (permits ? lookupAsSystem : lookupInDns)
    this.#timeoutMs = timeoutMs ?? 10_000
  }

  /**
   * Whatever the other side does becomes an outcome. Rejects where URL or headers cannot be sent,
   * and when this is closed before the end: then nobody knows what became of the request.
   */
  async post(
    url: string,
    { headers, body }: { headers: Record<string, string>; body: string | Buffer },
  ): Promise<Outcome> {
    const start = performance.now()
    const { origin, pathname, search } = new URL(url)
    const abort = new AbortController()
    const attempt: Attempt = { ifBroken: 'connect', signal: abort.signal }
    const client = await this.#client(origin, attempt)
    if (this.#closed) throw new Error('No requests are sent any more')
    const stop = () => {
      abort.abort()
      void client.destroy()
    }
    const deadline = setTimeout(stop, this.#timeoutMs)
    this.#stops.add(stop)
    const outcome = { ...NOTHING_YET }
    let bytes = Buffer.alloc(0)
    try {
      const path = pathname + search
      const answer = await client.request({ method: 'POST', path, headers, body })
      outcome.status = answer.statusCode
      outcome.error = failureOf(answer.statusCode)
      outcome.retryAfter = secondsToWait(answer.headers['retry-after'])
      for await (const chunk of answer.body) {
        bytes = Buffer.concat([bytes, chunk as Buffer])
        if (bytes.length >= BODY_LIMIT) break
      }
    } catch (error) {
      if (this.#closed || isUnsendable(error)) throw error
      outcome.error ??= abort.signal.aborted ? 'timeout' : attempt.ifBroken
    } finally {
      clearTimeout(deadline)
      this.#stops.delete(stop)
      stop()
    }
    outcome.body = textOf(bytes.subarray(0, BODY_LIMIT))
    outcome.durationMs = Math.round(performance.now() - start)
    return outcome
  }

  /** Breaks off what is under way. */
  close(): void {
    this.#closed = true
    for (const stop of this.#stops) stop()
  }

  async #client(origin: string, attempt: Attempt): Promise<Client> {
    // Loaded when something is sent: it is large, and many servers never send anything.
    const { Client } = await import('undici')
    const connect = callbackify((to: buildConnector.Options) => this.#connect(to, attempt))
    return new Client(origin, {
      connect: (to, done) =>
        connect(to, (error, socket) => {
          if (error) return done(error, null)
          done(null, socket)
          // Interim answers, extensions of chunks and the reason phrase have no limit of their own.
          socket.on('readable', () => {
            if (socket.bytesRead > ANSWER_LIMIT) socket.destroy(new Error('The answer is too long'))
          })
        }),
      maxHeaderSize: HEADERS_LIMIT,
      // One deadline holds for all of it.
      headersTimeout: 0,
      bodyTimeout: 0,
      // A connection ends with its request.
      pipelining: 0,
    })
  }

  /** A connection to one of the very addresses that were checked, and to no other. */
  async #connect(to: buildConnector.Options, attempt: Attempt): Promise<Socket> {
    const { protocol, hostname } = to
    const family = isIP(hostname)
    attempt.ifBroken = 'dns'
    const addresses = family
      ? [{ address: hostname, family }]
      : await this.#lookup(hostname, attempt.signal)
    attempt.signal.throwIfAborted()
    attempt.ifBroken = 'connect'
    // One address that is not permitted refuses the name, whichever would be tried.
    for (const { address } of addresses) this.#check(address, attempt)
    const tcp = connectTcp({
      host: hostname,
      port: Number(to.port) || (protocol === 'https:' ? 443 : 80),
      lookup: (_name, _options, found) => found(null, addresses),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
      noDelay: true,
      signal: attempt.signal,
    })
    await opened(tcp, 'connect')
    if (!tcp.remoteAddress) throw new Error('The connection was closed at once')
    this.#check(tcp.remoteAddress, attempt)
    if (protocol === 'http:') return tcp
    attempt.ifBroken = 'tls'
    const servername = family ? '' : hostname
    const tls = connectTls({ socket: tcp, host: hostname, servername, ALPNProtocols: ['http/1.1'] })
    await opened(tls, 'secureConnect')
    attempt.ifBroken = 'connect'
    return tls
  }

  #check(address: string, attempt: Attempt): void {
    if (this.#permits(address)) return
    attempt.ifBroken = 'blocked_address'
    throw new Error(`${address} is not permitted`)
  }
}

function isUnsendable(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'UND_ERR_INVALID_ARG'
}

async function opened(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  // What breaks later fails the request, which tells it; an error nobody hears would end the process.
  socket.on('error', () => {})
  await once(socket, event)
}
