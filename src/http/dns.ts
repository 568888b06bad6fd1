/** Resolves host names that clients chose, whose name servers may be slow or never answer. */
import { type LookupAddress, promises as dns } from 'node:dns'
import { Semaphore } from '../semaphore.ts'

/** Returns all addresses of a name. An aborted `signal` means that the caller no longer needs them. */
export type Lookup = (name: string, signal: AbortSignal) => Promise<LookupAddress[]>

/** Localhost names always mean this machine, whatever a name server says (RFC 6761, section 6.3). */
const OF_THIS_MACHINE = /^(?:.+\.)?localhost\.?$/i
const LOOPBACK = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]
/** Milliseconds before a name server is asked again, and attempts for each server. */
const QUESTION = { timeout: 1000, tries: 2 }
/**
 * Milliseconds for all name servers together, which leaves time to ask the system within one delivery
 * attempt.
 */
const QUESTIONS_MS = 4000
/** Milliseconds to wait for the second address family once the first is known. */
const OTHER_FAMILY_MS = 500

/**
 * System look-ups run on libuv's few threads and cannot be cancelled. So this server uses one thread at
 * a time and leaves the others to the database and the storage.
 */
const system = new Semaphore(1)

/**
 * Resolves a name as the operating system does: hosts file, name servers and other configured sources.
 */
export const lookupAsSystem: Lookup = async (name, signal) => {
  if (OF_THIS_MACHINE.test(name)) return LOOPBACK
  return system.run(1, () => {
    signal.throwIfAborted()
    return dns.lookup(name, { all: true })
  })
}

/**
 * Resolves a name through name servers, without a thread, so that unanswered names do not block others.
 * Falls back to the system for names that they do not know.
 */
export const lookupInDns: Lookup = async (name, signal) => {
  if (OF_THIS_MACHINE.test(name)) return LOOPBACK
  // One resolver per name: it can be cancelled, and it reads the current list of name servers.
  const resolver = new dns.Resolver(QUESTION)
  const endIn = (ms: number) => setTimeout(() => resolver.cancel(), ms)
  const timers = [endIn(QUESTIONS_MS)]
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
