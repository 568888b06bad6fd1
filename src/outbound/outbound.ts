import { once } from 'node:events'
import { isIP, type Socket, connect as connectTcp } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { callbackify } from 'node:util'
import type { buildConnector, Client } from 'undici'
import { type Lookup, lookupAsSystem, lookupInDns } from './dns.ts'
import { failureOf, type Failure, type FetchResult, secondsToWait, textOf } from './fetch-result.ts'
import { isGlobalUnicast } from './url-guard.ts'

/** Maximum bytes of the response body to read. */
const BODY_LIMIT = 2048
const HEADERS_LIMIT = 16_384
/** Maximum bytes of the whole response on the wire. */
const ANSWER_LIMIT = 262_144
/** Milliseconds to try one address of a name before trying the next. */
const ADDRESS_TIMEOUT_MS = 1000

interface Options {
  /** True for an address to which connections are allowed. Default: addresses of the public Internet. */
  permits?: (address: string) => boolean
  /**
   * Resolves names. Default: `lookupInDns`. With `permits`, the default is `lookupAsSystem`, because the
   * operating system may know private names.
   */
  lookup?: Lookup
  timeoutMs?: number
}

interface Attempt {
  /** Failure to report if the request fails in the current phase. */
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

/** Sends each request on a separate connection to a permitted address. Never uses retries, redirects or proxies. */
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
   * Sends a POST request and returns its result, also when the request fails. Rejects only for an invalid URL
   * or header, or after `close`.
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

  close(): void {
    this.#closed = true
    for (const stop of this.#stops) stop()
  }

  async #client(origin: string, attempt: Attempt): Promise<Client> {
    // Imported on first use, because undici is large and many servers never send a request.
    const { Client } = await import('undici')
    const connect = callbackify((to: buildConnector.Options) => this.#connect(to, attempt))
    return new Client(origin, {
      connect: (to, done) =>
        connect(to, (error, socket) => {
          if (error) return done(error, null)
          done(null, socket)
          // undici does not limit the size of interim responses, chunk extensions and the reason phrase.
          socket.on('readable', () => {
            if (socket.bytesRead > ANSWER_LIMIT)
              socket.destroy(new Error('the response is too long'))
          })
        }),
      maxHeaderSize: HEADERS_LIMIT,
      // The deadline in `post` covers all phases of the request.
      headersTimeout: 0,
      bodyTimeout: 0,
      pipelining: 0,
    })
  }

  /** Connects to a checked address without resolving the name again, which prevents DNS rebinding. */
  async #connect(to: buildConnector.Options, attempt: Attempt): Promise<Socket> {
    const { protocol, hostname } = to
    const family = isIP(hostname)
    attempt.ifBroken = 'dns'
    const addresses = family
      ? [{ address: hostname, family }]
      : await this.#lookup(hostname, attempt.signal)
    attempt.signal.throwIfAborted()
    attempt.ifBroken = 'connect'
    // Rejects the name if any of its addresses is not permitted.
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
  // Without this listener, a later error would end the process. The request itself reports such errors.
  socket.on('error', () => {})
  await once(socket, event)
}
