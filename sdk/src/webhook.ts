/** For those who receive webhooks: whether a request is what this Plaza sent. */
import { fromBase64, isEqual, type Key, subtle, utf8 } from './bytes.ts'
import type { Comment, Content, Creator, Play, UserRef } from './generated.ts'

/** What each kind of event tells. */
export interface WebhookData {
  'content.published': { content: Content }
  'content.updated': { content: Content }
  'content.archived': { content: Content }
  'content.liked': { content: Content; actor: UserRef }
  'comment.created': { comment: Comment }
  'creator.followed': { creator: Creator; actor: UserRef }
  'jump.play': { play: Play; game: Content }
  'webhook.test': Record<string, unknown>
}

/** An event. Kinds may be added: let a receiver pass over those it does not know. */
export type WebhookEvent = {
  [Kind in keyof WebhookData]: {
    /** The same at every attempt: an event that comes again has it again. */
    id: string
    type: Kind
    created_at: string
    api_version: string
    data: WebhookData[Kind]
  }
}[keyof WebhookData]

/** As `fetch`, `node:http` and frameworks have them. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Record<string, string | string[] | undefined>

export interface WebhookRequest {
  headers: WebhookHeaders
  /** As it came: a body that was parsed and written again is another one. */
  body: string | Uint8Array
  /** `svs_…`: proves who sends, and nothing about the body. */
  sharedSecret?: string
  /** `whsec_…`, or several while they are changed: proves sender, body and time. */
  signingSecret?: string | readonly string[]
  /** How far the clocks may differ, and how late a signed request may be; 300 unless given. */
  toleranceSeconds?: number
  /** In epoch milliseconds, in place of the clock. */
  now?: number
}

export type WebhookRefusal =
  | 'missing_header'
  | 'wrong_secret'
  | 'wrong_timestamp'
  | 'too_old'
  | 'too_new'
  | 'wrong_signature'
  | 'wrong_body'

/** A request that is not to be trusted; answer it with 401, say. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly reason: WebhookRefusal

  constructor(reason: WebhookRefusal, message: string) {
    super(message)
    this.reason = reason
  }
}

const TOLERANCE_S = 300
const SIGNING_PREFIX = 'whsec_'

/**
 * The event of a request that every given secret vouches for. Errors: WebhookVerificationError, and
 * TypeError without a secret, and with one that is none.
 */
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookEvent> {
  const { headers, body, sharedSecret, signingSecret } = request
  const signing = signingSecret === undefined ? undefined : [signingSecret].flat()
  // Programs without types may have read them from where there are none.
  const all: unknown[] = [...(signing ?? []), ...(sharedSecret === undefined ? [] : [sharedSecret])]
  if (all.length === 0 || signing?.length === 0) {
    throw new TypeError('sharedSecret or signingSecret is needed')
  }
  if (!all.every((secret) => typeof secret === 'string' && secret !== '')) {
    throw new TypeError('a secret is empty')
  }
  if (sharedSecret !== undefined) await checkShared(headers, sharedSecret)
  const bytes = typeof body === 'string' ? utf8(body) : body
  if (signing) await checkSigned(request, bytes, signing)
  return eventOf(bytes)
}

async function checkShared(headers: WebhookHeaders, secret: string): Promise<void> {
  const sent = required(headers, 'x-service-secret')
  // Of digests, so that the time tells nothing of the length either.
  if (!isEqual(await digest(sent), await digest(secret))) {
    throw new WebhookVerificationError('wrong_secret', 'X-Service-Secret is another one.')
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
    // Once for each secret: who sends many signatures costs no more than who sends one.
    const right = new Uint8Array(await subtle().sign('HMAC', await keyOf(secret), signed))
    if (sent.some((signature) => signature && isEqual(signature, right))) return
  }
  throw new WebhookVerificationError('wrong_signature', 'No signature is of this body.')
}

function checkTime(timestamp: string, now: number, tolerance: number): void {
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookVerificationError('wrong_timestamp', 'webhook-timestamp is no time.')
  }
  const age = now - Number(timestamp)
  const isYoung = age <= tolerance
  const isPast = age >= -tolerance
  // So compared that a clock or a tolerance that is no number refuses.
  if (!isYoung) throw new WebhookVerificationError('too_old', 'It was sent too long ago.')
  if (!isPast) throw new WebhookVerificationError('too_new', 'It is from the future.')
}

function keyOf(secret: string): Promise<Key> {
  const bare = secret.startsWith(SIGNING_PREFIX) ? secret.slice(SIGNING_PREFIX.length) : secret
  const how = { name: 'HMAC', hash: 'SHA-256' }
  return subtle().importKey('raw', bytesOf(bare), how, false, ['sign'])
}

function bytesOf(secret: string): Uint8Array<ArrayBuffer> {
  try {
    return fromBase64(secret)
  } catch {
    throw new TypeError('signingSecret is no whsec_… secret')
  }
}

/** Undefined for one of another version, and for what is no base64. */
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
    // Told below.
  }
  throw new WebhookVerificationError('wrong_body', 'The body is no event.')
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
