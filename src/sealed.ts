/**
 * Encrypts secrets that the server must decrypt later, such as TOTP secrets. Uses AES-256-GCM with ENCRYPTION_KEY. The
 * format is `v1.<base64url of nonce, ciphertext and tag>`. A secret encrypted for one purpose cannot be decrypted for
 * another.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const VERSION = 'v1.'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Encrypts a secret. `key` is hexadecimal; `purpose` identifies the use of the secret. */
export function seal(key: string, purpose: string, secret: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, Buffer.from(key, 'hex'), nonce)
  cipher.setAAD(Buffer.from(VERSION + purpose))
  const parts = [nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]
  return VERSION + Buffer.concat(parts).toString('base64url')
}

/** Decrypts a secret. Throws when the key or the purpose is wrong or the text was changed. */
export function unseal(key: string, purpose: string, sealed: string): string {
  if (!sealed.startsWith(VERSION)) throw new Error(`a secret for ${purpose} has an unknown format`)
  const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64url')
  const decipher = createDecipheriv(
    CIPHER,
    Buffer.from(key, 'hex'),
    bytes.subarray(0, NONCE_BYTES),
    { authTagLength: TAG_BYTES },
  )
  decipher.setAAD(Buffer.from(VERSION + purpose))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
  return Buffer.concat([text, decipher.final()]).toString('utf8')
}
