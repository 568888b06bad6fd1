/**
 * Ids are TypeIDs: a three-letter prefix, `_`, and 26 characters of Crockford base32 over a UUIDv7
 * (RFC 9562, section 5.7), so they sort by the time of their creation and cannot be guessed.
 */
import { randomFillSync } from 'node:crypto'

/** Every kind of thing that has a public id, and its prefix (contract, section 1). */
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
} as const

export type Prefix = (typeof PREFIXES)[keyof typeof PREFIXES]

/** The digits of Crockford's base32, in order. */
export const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const ID = /^[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}$/
const COUNTER_LIMIT = 0x1000
/** A clock that goes back by more was set: it is followed, lest ids tell a time to come. */
const SET_BACK_MS = 10_000

const random = Buffer.alloc(8 * 512)
let randomAt = random.length
let lastMs = 0
let counter = 0

/** True when `value` has the form of an id with this prefix; says nothing about a row. */
export function isId(prefix: Prefix, value: string): boolean {
  return value.length === 30 && value.startsWith(prefix) && ID.test(value)
}

/**
 * A new id. Within one process ids ascend strictly unless the clock is set back. With `after`, the id is greater
 * than that one too, whatever clock or process made it: under a row lock this gives an order that
 * only ever appends, and `timeOf` never goes back along it.
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
  // Beyond a clock that is ahead; this process's own clock must not follow it.
  return after && id <= after ? `${prefix}_${encode(uuidOf(timeOf(after) + 1, 0))}` : id
}

/** The time an id holds, in epoch milliseconds. */
export function timeOf(id: string): number {
  let time = 0
  // Ten characters: two bits of padding and the 48 of the time.
  for (const digit of id.slice(4, 14)) time = time * 32 + ALPHABET.indexOf(digit)
  return time
}

/** Not greater than any id that was made at this time or later, and greater than all from before. */
export function floorId(prefix: Prefix, time: number): string {
  const bytes = Buffer.alloc(16)
  bytes.writeUIntBE(time, 0, 6)
  return `${prefix}_${encode(bytes)}`
}

/** A UUIDv7 with a count in the 12 bits after its version; the other 62 bits are random. */
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

/** 128 bits as 26 characters, most significant first: the two leading bits are zero. */
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
