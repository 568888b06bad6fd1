import assert from 'node:assert/strict'
import { BlockList } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { isGlobalUnicast, isTarget } from './url-guard.ts'

/**
 * Networks that must be rejected: those in IANA's registries of special addresses, unassigned networks, and
 * the address of Azure's wire server.
 */
const CLOSED_V4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16
   172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24
   192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4
   240.0.0.0/4 255.255.255.255/32`.split(/\s+/)
const CLOSED_V6 =
  `::/128 ::1/128 ::/96 ::ffff:0:0/96 ::ffff:0:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64
   2001::/23 2001::/32 2001:2::/48 2001:10::/28 2001:20::/28 2001:db8::/32 2002::/16
   2620:4f:8000::/48 3fff::/20 4000::/2 5f00::/16 8000::/1 fc00::/7 fe80::/10 fec0::/10 ff00::/8
   ::/3`.split(/\s+/)

// Separate lists, because ::ffff:0:0/96 in a combined list would match every IPv4 address.
const closed = { ipv4: new BlockList(), ipv6: new BlockList() }
for (const network of [...CLOSED_V4, ...CLOSED_V6]) {
  const [address = '', prefix] = network.split('/')
  closed[familyOf(address)].addSubnet(address, Number(prefix), familyOf(address))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4'
}

const dotted = (n: bigint): string =>
  [24n, 16n, 8n, 0n].map((shift) => (n >> shift) & 255n).join('.')
const grouped = (n: bigint): string =>
  Array.from({ length: 8 }, (_, i) => ((n >> BigInt(112 - 16 * i)) & 0xffffn).toString(16)).join(
    ':',
  )

function numberOf(address: string): bigint {
  if (!address.includes(':')) {
    return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n)
  }
  const [left = [], right = []] = address.split('::').map((half) => half.split(':').filter(Boolean))
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
  return groups.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n)
}

test('rejects the first, the last and random addresses of every closed network', () => {
  for (const network of [...CLOSED_V4, ...CLOSED_V6]) {
    const [address = '', prefix] = network.split('/')
    const [bits, write] = address.includes(':')
      ? ([128, grouped] as const)
      : ([32, dotted] as const)
    const first = numberOf(address)
    const last = first + (1n << BigInt(bits - Number(prefix))) - 1n
    const inside = fc.bigInt({ min: first, max: last })
    for (const n of [first, last, ...fc.sample(inside, 20)]) {
      assert.equal(isGlobalUnicast(write(n)), false, `${write(n)} of ${network}`)
    }
  }
})

test('accepts every other address, including those next to a closed network', () => {
  for (const address of `1.0.0.0 1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0
    126.255.255.255 128.0.0.0 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0
    192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255 2001:200:: 2001:db9::
    2003:: 2606:4700:4700::1111 2a00:1450:4001:800::200e 3ffe:ffff::`.split(/\s+/)) {
    assert.equal(isGlobalUnicast(address), true, address)
  }
  const address = fc.oneof(
    fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }).map(dotted),
    fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }).map(grouped),
    fc.bigInt({ min: 1n << 125n, max: (1n << 126n) - 1n }).map(grouped),
    fc.bigInt({ min: 0x2001n << 112n, max: (0x2003n << 112n) - 1n }).map(grouped),
  )
  fc.assert(
    fc.property(address, (text) => {
      const family = familyOf(text)
      assert.equal(isGlobalUnicast(text), !closed[family].check(text, family))
    }),
    { numRuns: 5000 },
  )
})

test('rejects text that is not an IP address', () => {
  for (const text of [
    '',
    'localhost',
    'example.com',
    '8.8.8',
    '134744072',
    '8.8.8.8.',
    '08.8.8.8',
  ]) {
    assert.equal(isGlobalUnicast(text), false, text)
  }
  fc.assert(fc.property(fc.string({ maxLength: 20 }), (text) => void isGlobalUnicast(text)))
})

test('accepts only http and https URLs without credentials and fragment', () => {
  for (const url of [
    'https://example.com',
    'http://example.com:8080/hook?a=b',
    'HTTPS://EXAMPLE.COM/%23',
    'https://한국.kr/길',
    'http://127.0.0.1:9/',
    'http://[::1]:3000/',
  ]) {
    assert.equal(isTarget(url), true, url)
  }
  const refused =
    `example.com /hook //a.b http:// http:a.b http:/a.b file:///etc/passwd gopher://a.b/
    ftp://a.b/ ws://a.b/ data:,a unix:/a http://user@a.b/ http://user:pass@a.b/ http://:pass@a.b/
    http://a.b#@c.d/ https://a.b/# http://a.b:99999/ http://a.b:22/ http://a.b:25/ https://a.b:6379/
    http://[::1/ http://1.2.3.256/`.split(/\s+/)
  const unreadable = [
    '',
    'http://a.b\\@c.d/',
    'http:\\\\a.b',
    'http://a.b/\r\nHost: c.d',
    'http://a\t.b/',
  ]
  for (const url of [...refused, ...unreadable, 'http://a.b/ c', ' http://a.b/', 'http://a.b/\0']) {
    assert.equal(isTarget(url), false, url)
  }
})
