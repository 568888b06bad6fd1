/** Decides which URLs and IP addresses this server may send requests to. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** All of IPv6 global unicast (IANA, Internet Protocol Version 6 Address Space). */
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR('2000::/3')
/**
 * Cloud metadata services outside the link-local ranges, which hand out credentials: Azure's wire
 * server, the IPv6 services of AWS and Google, Alibaba's, and Oracle's.
 */
const METADATA = new Set([
  '168.63.129.16',
  'fd00:ec2::254',
  'fd20:ce::254',
  '100.100.100.200',
  '192.0.0.192',
])
/** Address ranges of a developer's own machine or local network. */
const LOCAL_RANGES = new Set(['unspecified', 'loopback', 'private', 'uniqueLocal'])
/**
 * Ports of SSH, mail and Redis. These protocols read lines and could execute parts of a request as
 * commands.
 */
const FOREIGN_PORTS = new Set(['22', '25', '465', '587', '6379'])

/**
 * True for an http or https URL without credentials or a fragment. It checks only the syntax. A host's
 * address can change, so it is checked again for each connection.
 */
export function isTarget(text: string): boolean {
  // URL parsers strip or repair these characters differently, so two parsers could disagree about the
  // host.
  if (/[\s\p{Cc}\\#]/u.test(text) || !/^https?:\/\//i.test(text)) return false
  const url = URL.parse(text)
  return url !== null && !url.username && !url.password && !FOREIGN_PORTS.has(url.port)
}

/**
 * True for an address of the public Internet. False for private, local, shared, multicast, reserved and
 * documentation addresses, and for text that is not an address. Also false for every IPv6 address that
 * embeds an IPv4 address, even a public one (mapped, compatible, NAT64, 6to4, Teredo).
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
  // An IPv6 zone after `%` is not part of the address.
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
