import type { Config } from '../config.ts'
import type { Handle } from '../db/handle.ts'
import { ApiError } from '../errors.ts'
import type { CoreDeps } from '../http/declaration.ts'
import { examplePagination } from '../http/page.ts'
import type { Api } from '../http/route.ts'
import { message } from '../messages/language.ts'
import { EVENT_KINDS } from '../webhooks/kinds.ts'
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  getDelivery,
  listWebhooks,
  rotateWebhookSecrets,
  updateWebhook,
  redeliverEvent,
  testWebhook,
} from './webhook-rules.ts'
import { sampleOf } from './webhook-samples.ts'
import {
  CreateWebhook,
  Deliveries,
  DeliveryQuery,
  type DeliveryRecord,
  EventCatalogue,
  NewWebhook,
  OneDelivery,
  OneWebhook,
  UpdateWebhook,
  type WebhookRecord,
  Webhooks,
} from './webhook-schema.ts'

const tag = 'Webhooks'
const auth = 'user'
const ofApp = { app_id: { id: 'app', missing: 'APP_NOT_FOUND', only: 'owner' } } as const
const ofWebhook = {
  webhook_id: { id: 'whk', missing: 'WEBHOOK_NOT_FOUND', only: 'owner' },
} as const
const ofDelivery = {
  ...ofWebhook,
  // The handler checks this id, so that a missing webhook is reported before a missing delivery.
  delivery_id: { id: 'dlv', missing: 'DELIVERY_NOT_FOUND', byRule: true },
} as const

const webhook: WebhookRecord = {
  id: 'whk_01kazt1m5vf3x8r0n6y2bqd4gk',
  app_id: 'app_01kazs2c9hf7w4m1t6bq8yx3ng',
  endpoint_url: 'https://river.example.com/plaza',
  events: ['content.published', 'jump.play'],
  is_active: true,
  failure_count: 0,
  created_at: '2026-11-21T08:50:00.000Z',
}
const issued = {
  webhook,
  secret: 'svs_pW8n…Qe4',
  signing_secret: 'whsec_3kDq…Zw==',
}
const delivery: DeliveryRecord = {
  id: 'dlv_01kazt3h8zc5m2w7e9pkr4xv0f',
  event_id: 'evt_01kazt3h8y6n0t4bqs7dwg1mxk',
  event: 'webhook.test',
  status: 'delivered',
  attempt_count: 1,
  attempts: [
    {
      at: '2026-11-21T08:51:20.164Z',
      response_status: 204,
      response_body: '',
      error: null,
      duration_ms: 87,
    },
  ],
  next_attempt_at: null,
  created_at: '2026-11-21T08:51:20.161Z',
}

interface Asked {
  deps: WebhooksDeps
  db: Handle
  params: { webhook_id: string }
}

/**
 * Makes the first attempt of a test or redelivery, and returns the delivery. For a replay of the request, makes no
 * attempt.
 * Errors: 409 REQUEST_IN_PROGRESS for a replay during the first attempt; those of `Deliveries.attempt`.
 */
async function attempt(
  { deps, db, params }: Asked,
  { delivery: { id } }: { delivery: DeliveryRecord },
  isReplay: boolean,
) {
  if (!isReplay) await deps.deliveries.attempt(id)
  const record = await getDelivery(db, params.webhook_id, id)
  // The status matters, because a delivery that failed when its webhook was disabled has no attempts.
  const isUnderWay = record.attempt_count === 0 && record.status === 'pending'
  if (isReplay && isUnderWay) throw new ApiError('REQUEST_IN_PROGRESS')
  return { delivery: record }
}

export interface WebhooksDeps extends CoreDeps {
  config: Pick<Config, 'encryptionKey'>
  /** Makes the first attempt of a delivery, see `Deliveries.attempt`. */
  deliveries: { attempt(id: string): Promise<void> }
}

export function registerWebhooks(api: Api<WebhooksDeps>): void {
  api.get('/devconsole/event-types', {
    id: 'listEventTypes',
    summary: 'List the event kinds that webhooks can subscribe to, each with a sample',
    tag,
    auth,
    data: EventCatalogue,
    example: {
      event_types: [
        {
          name: 'content.published',
          description: 'One of your content items was published',
          sample: sampleOf('content.published'),
        },
      ],
    },
    handler: ({ language }) => ({
      event_types: EVENT_KINDS.map((name) => ({
        name,
        description: message(language, `event.${name}`),
        sample: sampleOf(name),
      })),
    }),
  })

  api.get('/devconsole/apps/:app_id/webhooks', {
    id: 'listWebhooks',
    summary: 'List the webhooks of an app, newest first',
    tag,
    auth,
    params: ofApp,
    data: Webhooks,
    errors: ['APP_NOT_FOUND'],
    example: { webhooks: [webhook] },
    handler: async ({ db, viewer, params }) => ({
      webhooks: await listWebhooks(db, viewer, params.app_id),
    }),
  })

  api.post('/devconsole/apps/:app_id/webhooks', {
    id: 'createWebhook',
    summary: 'Create a webhook. Its secrets appear only in this response',
    tag,
    auth,
    params: ofApp,
    body: CreateWebhook,
    data: NewWebhook,
    status: 201,
    errors: ['APP_NOT_FOUND', 'LIMIT_REACHED'],
    example: issued,
    handler: ({ deps, db, viewer, params, body, now }) => {
      const { encryptionKey } = deps.config
      return createWebhook(db, viewer, params.app_id, { ...body, encryptionKey }, now)
    },
  })

  api.patch('/devconsole/webhooks/:webhook_id', {
    id: 'updateWebhook',
    summary: 'Change, disable or enable a webhook',
    description:
      'Disabling fails pending deliveries. Enabling, or changing the endpoint, resets the failure count.',
    tag,
    auth,
    params: ofWebhook,
    body: UpdateWebhook,
    data: OneWebhook,
    errors: ['WEBHOOK_NOT_FOUND'],
    example: { webhook },
    handler: async ({ db, viewer, params, body, now }) => ({
      webhook: await updateWebhook(db, viewer, params.webhook_id, body, now),
    }),
  })

  api.delete('/devconsole/webhooks/:webhook_id', {
    id: 'deleteWebhook',
    summary: 'Delete a webhook',
    tag,
    auth,
    params: ofWebhook,
    errors: ['WEBHOOK_NOT_FOUND'],
    handler: ({ db, viewer, params, now }) => deleteWebhook(db, viewer, params.webhook_id, now),
  })

  api.post('/devconsole/webhooks/:webhook_id/rotate-secret', {
    id: 'rotateWebhookSecrets',
    summary: 'Replace both secrets of a webhook',
    description:
      '`X-Service-Secret` changes at once. For 24 hours, requests are also signed with the old signing secret.',
    tag,
    auth,
    params: ofWebhook,
    data: NewWebhook,
    errors: ['WEBHOOK_NOT_FOUND'],
    example: issued,
    handler: ({ deps, db, viewer, params, now }) =>
      rotateWebhookSecrets(db, viewer, params.webhook_id, deps.config.encryptionKey, now),
  })

  api.post('/devconsole/webhooks/:webhook_id/test', {
    id: 'testWebhook',
    summary: 'Send a test event now and return the result',
    description:
      'Makes one attempt, even when the webhook is disabled. The response waits for it, up to ten seconds.',
    tag,
    auth,
    params: ofWebhook,
    data: OneDelivery,
    errors: ['WEBHOOK_NOT_FOUND', 'RATE_LIMITED'],
    example: { delivery },
    handler: {
      first: async ({ db, viewer, params, now }) => ({
        delivery: await testWebhook(db, viewer, params.webhook_id, now),
      }),
      then: attempt,
    },
  })

  api.get('/devconsole/webhooks/:webhook_id/deliveries', {
    id: 'listDeliveries',
    summary: 'List the deliveries of a webhook, newest first',
    description: 'Deliveries are stored for 30 days after they end.',
    tag,
    auth,
    params: ofWebhook,
    query: DeliveryQuery,
    indexes: ['webhook_deliveries_by_webhook'],
    data: Deliveries,
    errors: ['WEBHOOK_NOT_FOUND'],
    example: { deliveries: [delivery], pagination: examplePagination },
    handler: ({ db, viewer, params, query }) =>
      listDeliveries(db, viewer, params.webhook_id, query),
  })

  api.post('/devconsole/webhooks/:webhook_id/deliveries/:delivery_id/redeliver', {
    id: 'redeliverEvent',
    summary: 'Send an event again now as a new delivery',
    description:
      'Sends the same `webhook-id` and body. The response waits for the first attempt, up to ten seconds. If it fails, retries follow as for any delivery.',
    tag,
    auth,
    params: ofDelivery,
    data: OneDelivery,
    errors: ['WEBHOOK_NOT_FOUND', 'DELIVERY_NOT_FOUND', 'RATE_LIMITED'],
    example: { delivery },
    handler: {
      first: async ({ db, viewer, params, now }) => ({
        delivery: await redeliverEvent(db, viewer, params.webhook_id, params.delivery_id, now),
      }),
      then: attempt,
    },
  })
}
