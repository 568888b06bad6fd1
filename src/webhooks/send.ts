import type { Outbound } from '../outbound/outbound.ts'
import type { FetchResult } from '../outbound/fetch-result.ts'
import { VERSION } from '../package.ts'
import type { Sending } from './queue-queries.ts'
import { openSecrets, signatureOf } from './secrets.ts'

/**
 * Sends one request of a delivery. Returns a result even when the request fails. Throws when the secrets cannot
 * be decrypted. Rejects when `outbound` is closed before the request ends.
 */
export function send(
  outbound: Outbound,
  encryptionKey: string,
  sending: Sending,
  now: number,
): Promise<FetchResult> {
  const { secret, signing } = openSecrets(encryptionKey, sending.webhook_id, sending, now)
  const { event_id: id, payload: body } = sending
  const headers = {
    'content-type': 'application/json',
    'user-agent': `Plaza-Webhooks/${VERSION}`,
    'x-service-secret': secret,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now / 1000)),
    'webhook-signature': signatureOf(signing, { id, time: new Date(now), body }),
  }
  return outbound.post(sending.endpoint_url, { headers, body })
}
