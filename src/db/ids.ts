/**
 * Creates ids. An id is a TypeID: a three-letter prefix, `_`, and a UUIDv7 (RFC 9562, section 5.7) as 26
 * characters of Crockford base32. Ids sort by creation time and cannot be guessed.
 */
import { randomFillSync } from 'node:crypto'

export const PREFIXES = {
  user: 'usr',
  session: 'ses',
  content: 'cnt',
  comment: 'cmt',
  notification: 'ntf',
  conversation: 'cnv',
  message: 'msg',
  post: 'pst',
  upload: 'upl',
  app: 'app',
  key: 'key',
  webhook: 'whk',
  event: 'evt',
  delivery: 'dlv',
  play: 'ply',
  job: 'job',
  audit: 'aud',
  passkey: 'pky',
  rule: 'rul',
  application: 'reg',
  invite: 'inv',
  ban: 'ban',
  announcement: 'ann',
  mail: 'eml',
  report: 'rpt',
  case: 'cas',
  decision: 'dec',
  appeal: 'apl',
  export: 'exp',
} as const

export type Prefix = (typeof PREFIXES)[keyof typeof PREFIXES]

export const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const ID = /^[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}$/
const COUNTER_LIMIT = 0x1000
/** Tolerance in milliseconds for a clock that goes back. Within this limit, new ids continue after the last id. */
const SET_BACK_MS = 10_000

const random = Buffer.alloc(8 * 512)
let randomAt = random.length
let lastMs = 0
let counter = 0

export function isId(prefix: Prefix, value: string): boolean {
  return value.length === 30 && value.startsWith(prefix) && ID.test(value)
}

/**
 * Returns a new id, which is greater than `after` even when another process created `after`. Without `after`, the ids
 * that one process creates with a prefix ascend strictly, unless the clock goes back by more than SET_BACK_MS.
 */
export function newId(prefix: Prefix, now: number, after?: string | null): string {
  if (now > lastMs || now < lastMs - SET_BACK_MS) {
    lastMs = now
    counter = 0
  } else if (++counter === COUNTER_LIMIT) {
    lastMs++
    counter = 0
  }
  const id = `${prefix}_${encode(uuidOf(lastMs, counter))}`
  // The time in `after` may be in the future. If it were stored in `lastMs`, all later ids would lie in the future.
  return after && id <= after ? `${prefix}_${encode(uuidOf(timeOf(after) + 1, 0))}` : id
}

/** Returns the time in an id, as Unix time in milliseconds. */
export function timeOf(id: string): number {
  let time = 0
  // Ten characters encode two zero bits and the 48 bits of the time.
  for (const digit of id.slice(4, 14)) time = time * 32 + ALPHABET.indexOf(digit)
  return time
}

/** Returns the smallest id with this prefix and time, for comparing ids with a time. */
export function floorId(prefix: Prefix, time: number): string {
  const bytes = Buffer.alloc(16)
  bytes.writeUIntBE(time, 0, 6)
  return `${prefix}_${encode(bytes)}`
}

/** Returns a UUIDv7 with the counter in the 12 bits after the version, followed by 62 random bits. */
function uuidOf(ms: number, count: number): Buffer {
  const bytes = Buffer.allocUnsafe(16)
  bytes.writeUIntBE(ms, 0, 6)
  bytes[6] = 0x70 | (count >> 8)
  bytes[7] = count & 0xff
  if (randomAt === random.length) {
    randomFillSync(random)
    randomAt = 0
  }
  random.copy(bytes, 8, randomAt, randomAt + 8)
  randomAt += 8
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  return bytes
}

/** Encodes two zero bits and the 128 bits of a UUID in Crockford base32, most significant first. */
function encode(bytes: Buffer): string {
  let text = ''
  let bits = 2
  let value = 0
  for (const byte of bytes) {
    value = (value << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += ALPHABET[(value >> bits) & 31]
    }
    value &= 31
  }
  return text
}
