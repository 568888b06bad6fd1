/** Sends requests to URLs that users configured. It only connects to permitted addresses. */
import { once } from 'node:events'
import { isIP, type Socket, connect as connectTcp } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { callbackify } from 'node:util'
import type { buildConnector, Client } from 'undici'
import { type Lookup, lookupAsSystem, lookupInDns } from './dns.ts'
import { failureOf, type Failure, type FetchResult, secondsToWait, textOf } from './fetch-result.ts'
import { isGlobalUnicast } from './url-guard.ts'

/** Bytes of the response body to read before the connection is closed. */
const BODY_LIMIT = 2048
/** Maximum size of the response headers, in bytes. */
const HEADERS_LIMIT = 16_384
/** Maximum size of the whole response on the wire, in bytes. */
const ANSWER_LIMIT = 262_144
/** Milliseconds for one address of a name before the next one is tried. */
const ADDRESS_TIMEOUT_MS = 1000

interface Options {
  /**
   * True for an address that may be reached. By default only addresses of the public Internet may be.
   */
  permits?: (address: string) => boolean
  /**
   * Resolves names. The default asks name servers. With `permits` it asks the system instead, which
   * may know names of a private network.
   */
  lookup?: Lookup
  /** Milliseconds for everything together: name, connection, TLS, headers and body. */
  timeoutMs?: number
}

/** State of one request. */
interface Attempt {
  /** The failure to report if the request breaks now. */
  ifBroken: Failure
  signal: AbortSignal
}

const NOTHING_YET: FetchResult = {
  status: null,
  body: '',
  error: null,
  durationMs: 0,
  retryAfter: null,
}

/** Sends each request once, on its own connection. It follows no redirects and uses no proxy. */
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
   * Sends a POST request and returns its outcome, whatever the receiver does. Rejects when the URL or
   * the headers are invalid. Also rejects when `close` interrupts it; the receiver may have handled the
   * request then.
   */
  async post(
    url: string,
    { headers, body }: { headers: Record<string, string>; body: string | Buffer },
  ): Promise<FetchResult> {
    const start = performance.now()
    const { origin, pathname, search } = new URL(url)
    const abort = new AbortController()
    const attempt: Attempt = { ifBroken: 'connect', signal: abort.signal }
    const client = await this.#client(origin, attempt)
    if (this.#closed) throw new Error('outbound requests are closed')
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

  /** Aborts all requests in flight. */
  close(): void {
    this.#closed = true
    for (const stop of this.#stops) stop()
  }

  async #client(origin: string, attempt: Attempt): Promise<Client> {
    // Loaded lazily: undici is large, and many servers never send anything.
    const { Client } = await import('undici')
    const connect = callbackify((to: buildConnector.Options) => this.#connect(to, attempt))
    return new Client(origin, {
      connect: (to, done) =>
        connect(to, (error, socket) => {
          if (error) return done(error, null)
          done(null, socket)
          // undici does not limit interim responses, chunk extensions and the reason phrase.
          socket.on('readable', () => {
            if (socket.bytesRead > ANSWER_LIMIT)
              socket.destroy(new Error('the response is too long'))
          })
        }),
      maxHeaderSize: HEADERS_LIMIT,
      // The deadline in `post` covers all phases.
      headersTimeout: 0,
      bodyTimeout: 0,
      // The connection closes after its one request.
      pipelining: 0,
    })
  }

  /**
   * Connects to one of the addresses that were checked and to no other, which prevents DNS rebinding.
   */
  async #connect(to: buildConnector.Options, attempt: Attempt): Promise<Socket> {
    const { protocol, hostname } = to
    const family = isIP(hostname)
    attempt.ifBroken = 'dns'
    const addresses = family
      ? [{ address: hostname, family }]
      : await this.#lookup(hostname, attempt.signal)
    attempt.signal.throwIfAborted()
    attempt.ifBroken = 'connect'
    // One forbidden address rejects the whole name, even if another address would be tried first.
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
    if (!tcp.remoteAddress) throw new Error('the connection was closed immediately')
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
  // Later errors fail the request, which reports them. Without a listener they would end the process.
  socket.on('error', () => {})
  await once(socket, event)
}
