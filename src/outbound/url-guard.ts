import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** IPv6 global unicast addresses (IANA, Internet Protocol Version 6 Address Space). */
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR('2000::/3')
/**
 * Addresses of cloud metadata services outside the link-local ranges: Azure's wire server, the IPv6 services
 * of AWS and Google, Alibaba and Oracle. These services return credentials.
 */
const METADATA = new Set([
  '168.63.129.16',
  'fd00:ec2::254',
  'fd20:ce::254',
  '100.100.100.200',
  '192.0.0.192',
])
const LOCAL_RANGES = new Set(['unspecified', 'loopback', 'private', 'uniqueLocal'])
/** Ports of SSH, mail and Redis servers, some of which could execute lines of an HTTP request as commands. */
const FOREIGN_PORTS = new Set(['22', '25', '465', '587', '6379'])

/**
 * True for an http or https URL without credentials, fragment, white space, control characters, backslashes or
 * a port in FOREIGN_PORTS. `Outbound` checks the addresses of the host, because they can change.
 */
export function isTarget(text: string): boolean {
  // URL parsers handle these characters differently, so two parsers could find different hosts.
  if (/[\s\p{Cc}\\#]/u.test(text) || !/^https?:\/\//i.test(text)) return false
  const url = URL.parse(text)
  return url !== null && !url.username && !url.password && !FOREIGN_PORTS.has(url.port)
}

/**
 * True for addresses of the public Internet. False for private, local, shared, multicast, reserved and
 * documentation addresses, and for other text. Also false for IPv6 addresses that contain an IPv4 address
 * (mapped, compatible, NAT64, 6to4, Teredo).
 */
export function isGlobalUnicast(address: string): boolean {
  return isIP(address) !== 0 && isPublic(ipaddr.parse(address))
}

/**
 * True for addresses of the public Internet and of private networks (LOCAL_RANGES). False for cloud metadata
 * services, link-local and other special addresses, and for text that is not an address.
 */
export function isPublicOrPrivate(address: string): boolean {
  if (isIP(address) === 0) return false
  // The zone after `%` in an IPv6 address is not part of the address.
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
