/** Throws on anything but pairs of hexadecimal digits. */
export function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  if (!/^([0-9a-f]{2})*$/i.test(hex)) throw new TypeError('This is no hexadecimal text.')
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** 128 random bits. (`crypto.randomUUID` is missing on pages without TLS.) */
export function randomHex(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(16)))
}

/** Throws on what is no base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

/** Takes as long for equal ones as for others of the same length. */
export function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length
  for (let at = 0; at < one.length; at += 1) difference |= (one[at] ?? 0) ^ (other[at] ?? 0)
  return difference === 0
}

/** Under this name on every platform; its own name is a type on some only. */
type Subtle = typeof globalThis.crypto.subtle
export type Key = Awaited<ReturnType<Subtle['importKey']>>

/** The Web Cryptography of this place. Pages have it on https and on localhost only. */
export function subtle(): Subtle {
  const found = globalThis.crypto?.subtle as Subtle | undefined
  if (!found) throw new Error('Web Cryptography is missing here; pages need https for it.')
  return found
}
