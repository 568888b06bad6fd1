import { type LookupAddress, promises as dns } from 'node:dns'
import { Semaphore } from '../semaphore.ts'

/** Resolves a name to all its addresses, or rejects. The caller ignores the result after `signal` aborts. */
export type Lookup = (name: string, signal: AbortSignal) => Promise<LookupAddress[]>

/**
 * Matches localhost names. They always resolve to this machine, without a name server (RFC 6761, section 6.3).
 */
const LOCALHOST_NAMES = /^(?:.+\.)?localhost\.?$/i
const LOOPBACK = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]
/** Maximum milliseconds of a query (`timeout`), and maximum number of queries to each name server (`tries`). */
const QUERY = { timeout: 1000, tries: 2 }
/** Maximum milliseconds for all name servers, to leave time for a system look-up in the same attempt. */
const QUERIES_MS = 4000
/** Milliseconds to wait for the second address family after the first has been resolved. */
const OTHER_FAMILY_MS = 500

/**
 * Runs one system look-up at a time. Each look-up blocks one of libuv's few threads, which the database and storage
 * need too.
 */
const system = new Semaphore(1)

/** Resolves a name as the operating system does: with the hosts file, name servers and other configured sources. */
export const lookupAsSystem: Lookup = async (name, signal) => {
  if (LOCALHOST_NAMES.test(name)) return LOOPBACK
  return system.run(1, () => {
    signal.throwIfAborted()
    return dns.lookup(name, { all: true })
  })
}

/**
 * Queries name servers, without blocking a thread. Falls back to the system's look-up if they return no address in
 * time.
 */
export const lookupInDns: Lookup = async (name, signal) => {
  if (LOCALHOST_NAMES.test(name)) return LOOPBACK
  // Creates a resolver for each name, because cancelling a resolver cancels all its queries. A new resolver
  // also uses the current list of name servers.
  const resolver = new dns.Resolver(QUERY)
  const endIn = (ms: number) => setTimeout(() => resolver.cancel(), ms)
  const timers = [endIn(QUERIES_MS)]
  const found: LookupAddress[] = []
  const ask = async (family: 4 | 6) => {
    const addresses = await (family === 4 ? resolver.resolve4(name) : resolver.resolve6(name))
    found.push(...addresses.map((address) => ({ address, family })))
    timers.push(endIn(OTHER_FAMILY_MS))
  }
  await Promise.allSettled([ask(4), ask(6)])
  for (const timer of timers) clearTimeout(timer)
  return found.length > 0 ? found : lookupAsSystem(name, signal)
}
