/**
 * Secrets of webhooks. The service secret is part of each request and cannot authenticate the body. The signing secret
 * authenticates the body and is never sent.
 */
import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { WebhookRow } from '../db/console-tables.ts'
import { seal, unseal } from '../sealed.ts'

export interface Secrets {
  /** `svs_…`, sent in the header X-Service-Secret. */
  secret: string
  /** `whsec_…`, in the format of Standard Webhooks. */
  signing_secret: string
}

type SealedSecrets = Pick<
  WebhookRow,
  'secret' | 'signing_secret' | 'previous_signing_secret' | 'previous_until'
>

export function newSecrets(): Secrets {
  return {
    secret: `svs_${randomBytes(32).toString('base64url')}`,
    signing_secret: `whsec_${randomBytes(32).toString('base64')}`,
  }
}

export function sealSecrets(key: string, webhookId: string, { secret, signing_secret }: Secrets) {
  return {
    secret: seal(key, `${webhookId}.secret`, secret),
    signing_secret: seal(key, `${webhookId}.signing`, signing_secret),
  }
}

/**
 * Decrypts the secrets of a webhook. `signing` contains the signing secrets that are valid at `now`. Throws
 * when the webhook has no secrets or ENCRYPTION_KEY has changed.
 */
export function openSecrets(
  key: string,
  webhookId: string,
  { secret, signing_secret, previous_signing_secret, previous_until }: SealedSecrets,
  now: number,
): { secret: string; signing: string[] } {
  if (secret === null || signing_secret === null) throw new Error(`${webhookId} has no secrets`)
  const signing = [signing_secret]
  if (previous_signing_secret !== null && (previous_until ?? 0) > now) {
    signing.push(previous_signing_secret)
  }
  return {
    secret: unseal(key, `${webhookId}.secret`, secret),
    signing: signing.map((sealed) => unseal(key, `${webhookId}.signing`, sealed)),
  }
}

/**
 * Returns the columns that keep the current signing secret as the previous one until `until`. Both columns are null
 * when the secret cannot be decrypted.
 */
export function asPrevious(
  key: string,
  webhookId: string,
  { signing_secret }: SealedSecrets,
  until: number,
): Pick<WebhookRow, 'previous_signing_secret' | 'previous_until'> {
  try {
    unseal(key, `${webhookId}.signing`, signing_secret ?? '')
    return { previous_signing_secret: signing_secret, previous_until: until }
  } catch {
    return { previous_signing_secret: null, previous_until: null }
  }
}

/** Returns the value of the `webhook-signature` header (Standard Webhooks): one signature per secret. */
export function signatureOf(
  signing: readonly string[],
  { id, time, body }: { id: string; time: Date; body: string },
): string {
  return signing.map((secret) => new Webhook(secret).sign(id, time, body)).join(' ')
}
