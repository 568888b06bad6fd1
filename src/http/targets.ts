/** Where requests of this server may go: which URLs are taken, which addresses are reached. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** All that IPv6 has for global unicast (IANA, Internet Protocol Version 6 Address Space). */
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR('2000::/3')
/** A public number that Azure answers inside every machine, with what the machine may know. */
const AZURE_HOST = '168.63.129.16'
/** Ports of SSH, mail and Redis, which read lines and could take a request for commands. */
const FOREIGN_PORTS = new Set(['22', '25', '465', '587', '6379'])

/**
 * True for the text of an http or https URL without credentials and fragment. It looks at the form
 * alone: where a host leads can change, so that is judged at each connection.
 */
export function isTarget(text: string): boolean {
  // The parser of URLs leaves out or mends some of these; another reader might not.
  if (/[\s\p{Cc}\\#]/u.test(text) || !/^https?:\/\//i.test(text)) return false
  const url = URL.parse(text)
  return url !== null && !url.username && !url.password && !FOREIGN_PORTS.has(url.port)
}

/**
 * True for an address of the public Internet. False for what is private, local, shared, multicast,
 * reserved or for documentation, for every IPv6 address that holds an IPv4 one (mapped, compatible,
 * NAT64, 6to4, Teredo), even a public one, and for what is no address.
 */
export function isGlobalUnicast(address: string): boolean {
  if (isIP(address) === 0 || address === AZURE_HOST) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_V6)
}
