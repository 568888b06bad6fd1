/** A software authenticator: creates and uses passkeys like a browser, with ES256 keys in memory. */
import {
  createHash,
  createSign,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

const FLAGS = { present: 0x01, verified: 0x04, backupEligible: 0x08, backedUp: 0x10, hasKey: 0x40 }

/** Deviations of a faulty or hostile client. */
export interface Faults {
  origin?: string
  rpId?: string
  challenge?: string
  /** Leaves out the user verification (PIN, fingerprint). */
  unverified?: true
  /** Signs with a new key instead of the key of the passkey. */
  forged?: true
  userHandle?: string
  counter?: number
  /** Returns the attestation to send. By default the attestation format is `none`. */
  attest?: (signed: Attested) => { fmt: string; attStmt: Map<string, unknown> }
}

export interface Attested {
  authData: Buffer
  clientDataHash: Buffer
  publicKey: KeyObject
  privateKey: KeyObject
}

export class Authenticator {
  readonly credentialId = randomBytes(32)
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #origin: string
  readonly #isSynced: boolean
  #userHandle = ''
  #counter = 0

  constructor(origin: string, { isSynced = false } = {}) {
    this.#origin = origin
    this.#isSynced = isSynced
  }

  get id(): string {
    return this.credentialId.toString('base64url')
  }

  /** Creates a passkey. Returns the RegistrationResponseJSON for PublicKeyCredentialCreationOptionsJSON. */
  create(options: Options, faults: Faults = {}) {
    this.#userHandle = options.user.id
    const clientDataJSON = this.#clientData('webauthn.create', options.challenge, faults)
    const attested = Buffer.concat([
      Buffer.alloc(16),
      Buffer.from([0, this.credentialId.length]),
      this.credentialId,
      coseKey(this.#keys.publicKey),
    ])
    const authData = Buffer.concat([
      this.#authData(faults.rpId ?? options.rp.id, FLAGS.hasKey, faults),
      attested,
    ])
    const clientDataHash = sha256(clientDataJSON)
    const { fmt, attStmt } = faults.attest?.({ authData, clientDataHash, ...this.#keys }) ?? {
      fmt: 'none',
      attStmt: new Map(),
    }
    const attestation = cbor(
      new Map<string, unknown>([
        ['fmt', fmt],
        ['attStmt', attStmt],
        ['authData', authData],
      ]),
    )
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientDataJSON.toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  /** Uses the passkey. Returns the AuthenticationResponseJSON for PublicKeyCredentialRequestOptionsJSON. */
  get(options: { challenge: string; rpId: string }, faults: Faults = {}) {
    this.#counter++
    const clientDataJSON = this.#clientData('webauthn.get', options.challenge, faults)
    const authData = this.#authData(faults.rpId ?? options.rpId, 0, faults)
    const keys = faults.forged ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : this.#keys
    const signature = createSign('sha256')
      .update(authData)
      .update(sha256(clientDataJSON))
      .sign(keys.privateKey)
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientDataJSON.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: faults.userHandle ?? this.#userHandle,
      },
    }
  }

  #clientData(type: string, challenge: string, faults: Faults): Buffer {
    return Buffer.from(
      JSON.stringify({
        type,
        challenge: faults.challenge ?? challenge,
        origin: faults.origin ?? this.#origin,
        crossOrigin: false,
      }),
    )
  }

  #authData(rpId: string, extra: number, faults: Faults): Buffer {
    let flags = FLAGS.present | extra
    if (!faults.unverified) flags |= FLAGS.verified
    if (this.#isSynced) flags |= FLAGS.backupEligible | FLAGS.backedUp
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(faults.counter ?? (this.#isSynced ? 0 : this.#counter))
    return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.from([flags]), counter])
  }
}

export interface Options {
  challenge: string
  rp: { id: string; name: string }
  user: { id: string; name: string; displayName: string }
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}

/** Encodes a P-256 public key in COSE form (RFC 9052): EC2, ES256. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return cbor(
    new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  )
}

/** Encodes integers, texts, bytes, arrays and maps (RFC 8949). */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)])
  if (value instanceof Map) {
    return Buffer.concat([head(5, value.size), ...[...value].flat().map(cbor)])
  }
  throw new TypeError('this value has no CBOR form here')
}

function head(major: number, value: number): Buffer {
  const kind = major << 5
  if (value < 24) return Buffer.from([kind | value])
  if (value < 256) return Buffer.from([kind | 24, value])
  return Buffer.from([kind | 25, value >> 8, value & 255])
}
