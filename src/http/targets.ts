/** Where requests of this server may go: which URLs are taken, which addresses are reached. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** All that IPv6 has for global unicast (IANA, Internet Protocol Version 6 Address Space). */
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR('2000::/3')
/**
 * Metadata services outside the link-local ranges, which hand credentials to machines of a cloud: Azure's wire
 * server, the IPv6 services of AWS and Google, Alibaba's, and Oracle's.
 */
const METADATA = new Set([
  '168.63.129.16',
  'fd00:ec2::254',
  'fd20:ce::254',
  '100.100.100.200',
  '192.0.0.192',
])
/** Ranges of addresses that may lie on a developer's machine or in its network. */
const LOCAL_RANGES = new Set(['unspecified', 'loopback', 'private', 'uniqueLocal'])
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
 * True for an address of the public Internet. False for private, local, shared, multicast, reserved
 * and documentation addresses, for every IPv6 address that embeds an IPv4 one (mapped, compatible,
 * NAT64, 6to4, Teredo), even a public one, and for text that is no address.
 */
export function isGlobalUnicast(address: string): boolean {
  return isIP(address) !== 0 && isPublic(ipaddr.parse(address))
}

/**
 * True for an address of the public Internet, of this machine or of a private network. False for
 * link-local addresses, the metadata services of clouds, and every other special range.
 */
export function isPublicOrPrivate(address: string): boolean {
  if (isIP(address) === 0) return false
  // The zone after the address is not part of it.
  const parsed = ipaddr.process(address.split('%', 1)[0] as string)
  return isPublic(parsed) || (LOCAL_RANGES.has(parsed.range()) && !isMetadata(parsed))
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast' || isMetadata(address)) return false
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_V6)
}

function isMetadata(address: Address): boolean {
  return METADATA.has(address.toString())
}
