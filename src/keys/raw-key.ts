/**
 * Format of API keys: a prefix for the kind, 32 random bytes as 43 base62 characters, and a CRC-32 of both as 6
 * base62 characters. Secret scanners recognise leaked keys by prefix and checksum. The server rejects invalid
 * keys without a query.
 */
import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const PREFIXES = { live: 'plz_live_', test: 'plz_test_', legacy: 'plz_user_' } as const
export type KeyKind = keyof typeof PREFIXES

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_BYTES = 32
const RANDOM_LENGTH = 43
const CHECKSUM_LENGTH = 6
const RAW_KEY = /^plz_(?:live|test|user)_[0-9A-Za-z]{49}$/
/** Number of characters that lists of keys show: the prefix and four more. */
const SHOWN_LENGTH = 13

export function newRawKey(kind: KeyKind): string {
  const random = BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`)
  const body = PREFIXES[kind] + base62(random, RANDOM_LENGTH)
  return body + checksumOf(body)
}

/** True when the text has the format of a key and a correct checksum. The key may not exist. */
export function isRawKey(text: string): boolean {
  return (
    RAW_KEY.test(text) &&
    checksumOf(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH)
  )
}

/** Returns the columns that store a key. Keys are random, so a fast hash without salt is secure. */
export function traceOf(rawKey: string) {
  return {
    key_hash: keyHash(rawKey),
    key_prefix: rawKey.slice(0, SHOWN_LENGTH),
    last_four: rawKey.slice(-4),
  }
}

export function keyHash(rawKey: string): string {
  return hash('sha256', rawKey, 'base64url')
}

function checksumOf(body: string): string {
  return base62(BigInt(crc32(body)), CHECKSUM_LENGTH)
}

function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) text = BASE62[Number(rest % 62n)] + text
  return text
}
