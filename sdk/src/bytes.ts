/** Decodes hexadecimal text. Throws a TypeError for invalid text. */
export function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  if (!/^([0-9a-f]{2})*$/i.test(hex)) throw new TypeError('Invalid hexadecimal text.')
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Returns 128 random bits in hexadecimal. Avoids `crypto.randomUUID`, which is missing on pages without HTTPS. */
export function randomHex(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(16)))
}

/** Decodes base64 text. Throws when the text is invalid. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

/** Returns true when two arrays are equal. The time depends only on the lengths, so it does not reveal secret bytes. */
export function isEqual(left: Uint8Array, right: Uint8Array): boolean {
  let difference = left.length ^ right.length
  for (let index = 0; index < left.length; index += 1)
    difference |= (left[index] ?? 0) ^ (right[index] ?? 0)
  return difference === 0
}

/** Type of Web Crypto, derived from the value because some type libraries do not declare `SubtleCrypto`. */
type Subtle = typeof globalThis.crypto.subtle
export type Key = Awaited<ReturnType<Subtle['importKey']>>

/** Returns Web Crypto. Throws an Error where it is missing: browsers offer it on HTTPS and localhost only. */
export function subtle(): Subtle {
  const found = globalThis.crypto?.subtle as Subtle | undefined
  if (!found) throw new Error('Web Crypto is not available. Pages need HTTPS for it.')
  return found
}
