import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

const LINK = /^([0-9a-z]{1,9})\.([\w-]{43})$/

interface Key {
  tokenSecret: string
}

function proofOf({ tokenSecret }: Key, id: string, end: string): string {
  const key = Buffer.from(hkdfSync('sha256', tokenSecret, '', 'plaza export links', 32))
  return createHmac('sha256', key).update(`${id}.${end}`).digest('base64url')
}

/** Returns the signed path of a download, valid until `expiresAt` (Unix time in milliseconds). */
export function downloadPath(key: Key, id: string, expiresAt: number): string {
  const end = expiresAt.toString(36)
  return `/api/v1/exports/${id}/download?token=${end}.${proofOf(key, id, end)}`
}

/** True for an unexpired and unaltered token of this export. */
export function isGoodToken(key: Key, id: string, token: string, now: number): boolean {
  const [, end = '', proof = ''] = LINK.exec(token) ?? []
  // Compares the base64 texts, because different texts can decode to the same bytes.
  const expected = Buffer.from(proofOf(key, id, end))
  const given = Buffer.from(proof)
  const isGood = given.length === expected.length && timingSafeEqual(given, expected)
  return isGood && now < parseInt(end, 36)
}
