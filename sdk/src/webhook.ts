import { fromBase64, isEqual, type Key, subtle, utf8 } from './bytes.ts'
import type { Comment, Content, Creator, Play, UserRef } from './generated.ts'

/** Type of `data` for each event type. */
export interface WebhookData {
  'content.published': { content: Content }
  'content.updated': { content: Content }
  'content.hidden': { content: Content; decision: { id: string; reason: string } }
  'content.restored': { content: Content }
  'content.archived': { content: Content }
  'content.liked': { content: Content; actor: UserRef }
  'comment.created': { comment: Comment }
  'creator.followed': { creator: Creator; actor: UserRef }
  'jump.play': { play: Play; game: Content }
  'webhook.test': Record<string, unknown>
}

/** Webhook event. Later servers may add types, so ignore unknown types. */
export type WebhookEvent = {
  [Kind in keyof WebhookData]: {
    /** Unique id of the event, the same for repeated deliveries. */
    id: string
    type: Kind
    /** Time of the event in ISO 8601 and UTC. */
    created_at: string
    api_version: string
    data: WebhookData[Kind]
  }
}[keyof WebhookData]

/** Headers in the form of `fetch`, `node:http` or a web framework. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Record<string, string | string[] | undefined>

/** Received request, and the secrets to check it with. At least one secret is required. */
export interface WebhookRequest {
  headers: WebhookHeaders
  /** The body exactly as received. Parsing and serializing it again breaks the signature. */
  body: string | Uint8Array
  /** Secret that begins with `svs_`. It proves the sender, but not that the body is unchanged. */
  sharedSecret?: string
  /** Secret that begins with `whsec_`, or several during a rotation. Signatures prove sender, body and time. */
  signingSecret?: string | readonly string[]
  /** Maximum age of a signed request, and maximum clock difference, in seconds. Default: 300. */
  toleranceSeconds?: number
  /** Current time in epoch milliseconds, for tests. Default: the system clock. */
  now?: number
}

/** Name of the check that rejected a request. */
export type WebhookRefusal =
  | 'missing_header'
  | 'wrong_secret'
  | 'wrong_timestamp'
  | 'too_old'
  | 'too_new'
  | 'wrong_signature'
  | 'wrong_body'

/** Thrown for a request that cannot be trusted. Respond with 401, for example. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  /** First check that failed. */
  readonly reason: WebhookRefusal

  constructor(reason: WebhookRefusal, message: string) {
    super(message)
    this.reason = reason
  }
}

const TOLERANCE_S = 300
const SIGNING_PREFIX = 'whsec_'

/**
 * Returns the event of a request. With `sharedSecret`, checks the secret of the request. With `signingSecret`, checks
 * the signature and age of the request.
 *
 * Throws a WebhookVerificationError when a check fails, a TypeError when a secret is missing or malformed, and an Error
 * without Web Crypto.
 *
 * @example
 * const body = new Uint8Array(await request.arrayBuffer())
 * const event = await verifyWebhook({ headers: request.headers, body, signingSecret })
 * if (event.type === 'content.published') console.log(event.data.content.title)
 */
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookEvent> {
  const { headers, body, sharedSecret, signingSecret } = request
  const signing = signingSecret === undefined ? undefined : [signingSecret].flat()
  // Callers without type checks may pass secrets that are undefined or null.
  const secrets: unknown[] = [
    ...(signing ?? []),
    ...(sharedSecret === undefined ? [] : [sharedSecret]),
  ]
  if (secrets.length === 0 || signing?.length === 0) {
    throw new TypeError('sharedSecret or signingSecret is required')
  }
  if (!secrets.every((secret) => typeof secret === 'string' && secret !== '')) {
    throw new TypeError('a secret is empty')
  }
  if (sharedSecret !== undefined) await checkShared(headers, sharedSecret)
  const bytes = typeof body === 'string' ? utf8(body) : body
  if (signing) await checkSigned(request, bytes, signing)
  return eventOf(bytes)
}

async function checkShared(headers: WebhookHeaders, secret: string): Promise<void> {
  const sent = required(headers, 'x-service-secret')
  // Compares digests of equal length, so that timing does not reveal the length of the secret.
  if (!isEqual(await digest(sent), await digest(secret))) {
    throw new WebhookVerificationError(
      'wrong_secret',
      'X-Service-Secret does not match sharedSecret.',
    )
  }
}

async function checkSigned(
  { headers, toleranceSeconds = TOLERANCE_S, now = Date.now() }: WebhookRequest,
  body: Uint8Array,
  secrets: readonly string[],
): Promise<void> {
  const id = required(headers, 'webhook-id')
  const timestamp = required(headers, 'webhook-timestamp')
  const signatures = required(headers, 'webhook-signature')
  checkTime(timestamp, now / 1000, toleranceSeconds)
  const signed = joined(utf8(`${id}.${timestamp}.`), body)
  const sent = signatures.split(' ').map(bytesOfSignature)
  for (const secret of secrets) {
    // Computes one HMAC per secret, so that the cost is independent of the number of received signatures.
    const right = new Uint8Array(await subtle().sign('HMAC', await keyOf(secret), signed))
    if (sent.some((signature) => signature && isEqual(signature, right))) return
  }
  throw new WebhookVerificationError('wrong_signature', 'No signature matches this body.')
}

function checkTime(timestamp: string, now: number, tolerance: number): void {
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookVerificationError(
      'wrong_timestamp',
      'webhook-timestamp is not a number of seconds.',
    )
  }
  const age = now - Number(timestamp)
  const isYoung = age <= tolerance
  const isPast = age >= -tolerance
  // `isYoung` is also false when the clock or the tolerance is NaN.
  if (!isYoung) throw new WebhookVerificationError('too_old', 'The request is too old.')
  if (!isPast) throw new WebhookVerificationError('too_new', 'The timestamp is in the future.')
}

function keyOf(secret: string): Promise<Key> {
  const encoded = secret.startsWith(SIGNING_PREFIX) ? secret.slice(SIGNING_PREFIX.length) : secret
  const how = { name: 'HMAC', hash: 'SHA-256' }
  return subtle().importKey('raw', bytesOf(encoded), how, false, ['sign'])
}

function bytesOf(secret: string): Uint8Array<ArrayBuffer> {
  try {
    return fromBase64(secret)
  } catch {
    throw new TypeError('signingSecret is not a valid whsec_… secret')
  }
}

/** Returns the bytes of a `v1` signature. Undefined for other versions and invalid base64. */
function bytesOfSignature(signature: string): Uint8Array | undefined {
  const [version, value = ''] = signature.split(',')
  if (version !== 'v1') return undefined
  try {
    return fromBase64(value)
  } catch {
    return undefined
  }
}

function eventOf(body: Uint8Array): WebhookEvent {
  try {
    const event: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    if (typeof event === 'object' && event !== null && 'type' in event) return event as WebhookEvent
  } catch {
    // Invalid UTF-8 or JSON leads to the error below.
  }
  throw new WebhookVerificationError('wrong_body', 'The body is not an event.')
}

function required(headers: WebhookHeaders, name: string): string {
  const value = headerOf(headers, name)
  if (value) return value
  throw new WebhookVerificationError('missing_header', `${name} is missing.`)
}

function headerOf(headers: WebhookHeaders, name: string): string | null | undefined {
  if (typeof headers['get'] === 'function') return headers.get(name)
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof found === 'string' ? found : undefined
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await subtle().digest('SHA-256', utf8(text)))
}

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(head.length + tail.length)
  whole.set(head)
  whole.set(tail, head.length)
  return whole
}
