/** IPv4 and IPv6 networks in CIDR notation, as bans store them. */
import { isIPv4, isIPv6 } from 'node:net'

const BITS = { 4: 32, 6: 128 } as const
/** Prefix length of the widest network that can be banned. */
const WIDEST = { 4: 8, 6: 16 } as const
const MAPPED = 0xffffn << 32n

interface Address {
  version: 4 | 6
  value: bigint
}

/**
 * Parses an IP address. An IPv4-mapped IPv6 address counts as IPv4. Returns undefined when the text is not an
 * address.
 */
function parseAddress(text: string): Address | undefined {
  if (isIPv4(text)) return { version: 4, value: parseIPv4(text) }
  if (!isIPv6(text) || text.includes('%')) return undefined
  const value = parseIPv6(text)
  return value >> 32n === MAPPED >> 32n
    ? { version: 4, value: value & 0xffff_ffffn }
    : { version: 6, value }
}

function parseIPv4(text: string): bigint {
  return text.split('.').reduce((sum, part) => (sum << 8n) | BigInt(part), 0n)
}

function parseIPv6(text: string): bigint {
  const [, before = text, ipv4] = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text) ?? []
  const tailGroups = ipv4 === undefined ? '' : hexOf(parseIPv4(ipv4))
  const [head = '', tail] = (ipv4 === undefined ? text : before + tailGroups).split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail?.split(':').filter(Boolean) ?? []
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
  return [...left, ...zeros, ...right].reduce(
    (sum, group) => (sum << 16n) | BigInt(`0x${group}`),
    0n,
  )
}

const hexOf = (value: bigint) => `${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`

function format({ version, value }: Address, prefix: number): string {
  const size = version === 4 ? 8n : 16n
  const parts = Array.from(
    { length: version === 4 ? 4 : 8 },
    (_, i, count = version === 4 ? 4 : 8) => {
      const part = (value >> (size * BigInt(count - 1 - i))) & ((1n << size) - 1n)
      return version === 4 ? part.toString() : part.toString(16)
    },
  )
  return `${parts.join(version === 4 ? '.' : ':')}/${prefix}`
}

function masked({ version, value }: Address, prefix: number): Address {
  const host = BigInt(BITS[version] - prefix)
  return { version, value: (value >> host) << host }
}

/**
 * Returns a network in CIDR notation with its host bits cleared. Accepts IPv4 /8 to /32 and IPv6 /16 to /128, and
 * otherwise returns undefined.
 */
export function parseNetwork(text: string): string | undefined {
  const [, host = '', digits = ''] = /^([0-9a-f.:]+)\/(\d{1,3})$/i.exec(text) ?? []
  const address = parseAddress(host)
  const prefix = Number(digits)
  // Rejects IPv4-mapped IPv6 addresses, whose prefix length would count IPv6 bits.
  if (!address || (address.version === 4) !== isIPv4(host)) return undefined
  if (prefix < WIDEST[address.version] || prefix > BITS[address.version]) return undefined
  return format(masked(address, prefix), prefix)
}

/**
 * Returns the stored forms of all bannable networks that contain this address, or an empty list when `ip` is no
 * address.
 */
export function networksOf(ip: string): string[] {
  const address = parseAddress(ip.split('%')[0] as string)
  if (!address) return []
  const { version } = address
  const count = BITS[version] - WIDEST[version] + 1
  return Array.from({ length: count }, (_, i) => {
    const prefix = WIDEST[version] + i
    return format(masked(address, prefix), prefix)
  })
}

/** True when the stored network contains loopback addresses: 127.0.0.0/8 or ::1. */
export function containsLoopback(network: string): boolean {
  return network.includes(':') ? networksOf('::1').includes(network) : network.startsWith('127.')
}
