/** What the names of receivers lead to: names that strangers choose, and may let wait. */
import { type LookupAddress, promises as dns } from 'node:dns'
import { Budget } from '../budget.ts'

/** All addresses of a name; `signal` tells that nobody waits for them any more. */
export type Lookup = (name: string, signal: AbortSignal) => Promise<LookupAddress[]>

/** This machine, whatever a name server says (RFC 6761, section 6.3). */
const OF_THIS_MACHINE = /^(?:.+\.)?localhost\.?$/i
const LOOPBACK = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]
/** Milliseconds until a name server is asked again, and how often each is. */
const QUESTION = { timeout: 1000, tries: 2 }
/** Milliseconds for all name servers together: then the system has time to be asked within an attempt. */
const QUESTIONS_MS = 4000
/** Milliseconds for the addresses of one family once those of the other are known. */
const OTHER_FAMILY_MS = 500

/**
 * The system looks names up in threads, few of which it gives to that, and a look-up that began
 * cannot be ended. So this server takes one of them and leaves the others to the database and the
 * storage.
 */
const system = new Budget(1)

/** As the system knows a name: from its file of hosts, its name servers and whatever else it asks. */
export const lookupAsSystem: Lookup = async (name, signal) => {
  if (OF_THIS_MACHINE.test(name)) return LOOPBACK
  return system.spend(1, () => {
    signal.throwIfAborted()
    return dns.lookup(name, { all: true })
  })
}

/**
 * As name servers know a name, in no thread: however many names are never answered, others are. Of
 * what they do not know the system is asked.
 */
export const lookupInDns: Lookup = async (name, signal) => {
  if (OF_THIS_MACHINE.test(name)) return LOOPBACK
  // One for each name: it can be cancelled, and knows the name servers of now.
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
