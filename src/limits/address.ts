import { isIPv6 } from 'node:net'

export interface ClientAddress {
  ip: string
  /** True when `ip` may be the address of an untrusted proxy. */
  isForwarded: boolean
}

/** True for a client on this machine. False when `ip` may be the address of a proxy. */
export function isLoopback({ ip, isForwarded }: ClientAddress): boolean {
  return !isForwarded && (ip === '::1' || /^(::ffff:)?127\./i.test(ip))
}

/** Returns keys for counting requests: the IPv4 address, or the /64 and /48 networks of an IPv6 address. */
export function addressKeys(ip: string): string[] {
  const groups = groupsOf(ip)
  return groups ? [prefixOf(groups, 64), prefixOf(groups, 48)] : [unmapped(ip)]
}

/** Returns the /24 network of an IPv4 address, or the /48 network of an IPv6 address. */
export function networkOf(ip: string): string {
  const groups = groupsOf(ip)
  return groups ? prefixOf(groups, 48) : unmapped(ip).replace(/\.\d+$/, '.0/24')
}

/** Returns the IPv4 address of an IPv4-mapped IPv6 address, and other addresses unchanged. */
function unmapped(ip: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1] ?? ip
}

/**
 * Returns the eight groups of an IPv6 address, or undefined for other addresses, including IPv4-mapped ones.
 */
function groupsOf(ip: string): string[] | undefined {
  if (!isIPv6(ip) || unmapped(ip) !== ip) return undefined
  const [head = '', tail] = (ip.split('%')[0] as string).split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail === undefined ? [] : tail.split(':').filter(Boolean)
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  return [...left, ...Array<string>(zeros).fill('0'), ...right]
}

function prefixOf(groups: string[], bits: 64 | 48): string {
  const prefix = groups.slice(0, bits / 16).map((group) => Number.parseInt(group, 16).toString(16))
  return `${prefix.join(':')}::/${bits}`
}
