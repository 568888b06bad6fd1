import assert from 'node:assert/strict'
import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { type Actor, startApp } from '../../test/app.ts'
import { type Attested, Authenticator, type Faults } from '../../test/authenticator.ts'
import { creationOptions } from '../../test/factors.ts'
import { assertError, dataOf } from '../../test/make.ts'

const ORIGIN = 'http://localhost'
const app = await startApp()

const requested: string[] = []
const server = createServer((request, response) => {
  requested.push(request.url ?? '')
  response.end()
})
await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
after(() => server.close())
const revocationList = `http://127.0.0.1:${(server.address() as AddressInfo).port}/list`

async function add(user: Actor, attest: Faults['attest'] & {}) {
  const credential = new Authenticator(ORIGIN).create(await creationOptions(user), { attest })
  return user.post('/auth/passkeys', { name: 'A phone', credential })
}

/** Encodes a value in DER (X.690). */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const value = Buffer.concat(parts)
  const { length } = value
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), value])
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const integer = (value: number) => der(0x02, Buffer.from([value]))
const octets = (value: Buffer) => der(0x04, value)
const bits = (value: Buffer) => der(0x03, Buffer.from([0]), value)
const nameOf = (text: string) =>
  sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(text)))))

/** Returns a certificate (RFC 5280) that is signed with `signer`. */
function certificate(
  { subject, key, signer }: { subject: string; key: KeyObject; signer: KeyObject },
  extensions: Buffer[] = [],
): Buffer {
  const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
  const signed = sequence(
    der(0xa0, integer(2)),
    integer(1),
    ecdsaWithSha256,
    nameOf('root'),
    sequence(der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('491231235959Z'))),
    nameOf(subject),
    key.export({ type: 'spki', format: 'der' }),
    ...(extensions.length > 0 ? [der(0xa3, sequence(...extensions))] : []),
  )
  const signature = createSign('sha256').update(signed).sign(signer)
  return sequence(signed, ecdsaWithSha256, bits(signature))
}

/**
 * Returns a valid chain of certificates for the attestation format `android-key`. The leaf certificate names
 * a revocation list.
 */
function chainFor({ publicKey, clientDataHash }: Attested): Buffer[] {
  const root = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const level = der(0x0a, Buffer.from([1]))
  const keyDescription = sequence(
    Buffer.concat([integer(3), level, integer(4), level]),
    Buffer.concat([octets(clientDataHash), octets(Buffer.alloc(0)), sequence(), sequence()]),
  )
  const distributionPoint = der(0xa0, der(0xa0, der(0x86, Buffer.from(revocationList))))
  const extensions = [
    sequence(oid('2b06010401d679020111'), octets(keyDescription)),
    sequence(oid('551d1f'), octets(sequence(sequence(distributionPoint)))),
  ]
  const signer = root.privateKey
  return [
    certificate({ subject: 'leaf', key: publicKey, signer }, extensions),
    certificate({ subject: 'root', key: root.publicKey, signer }),
  ]
}

function sign({ authData, clientDataHash, privateKey }: Attested): Buffer {
  return createSign('sha256').update(authData).update(clientDataHash).sign(privateKey)
}

test('requests no address that a certificate of a new passkey names', async () => {
  const user = await app.user()
  for (const fmt of ['android-key', 'packed', 'fido-u2f', 'tpm', 'apple', 'android-safetynet']) {
    const answer = await add(user, (attested) => ({
      fmt,
      attStmt: new Map<string, unknown>([
        ['alg', -7],
        ['sig', sign(attested)],
        ['x5c', chainFor(attested)],
      ]),
    }))
    assertError(answer, 422, 'PASSKEY_INVALID')
  }
  assert.deepEqual(requested, [])
})

test('accepts a new passkey that attests itself without certificates', async () => {
  const user = await app.user()
  const answer = await add(user, (attested) => ({
    fmt: 'packed',
    attStmt: new Map<string, unknown>([
      ['alg', -7],
      ['sig', sign(attested)],
    ]),
  }))
  dataOf(answer, 201)
})
