import { type Static, Type } from 'typebox'
import { iso, isoOrNull } from '../clock.ts'
import type { WebhookAttemptRow, WebhookRow } from '../db/console-tables.ts'
import type { Problem } from '../errors.ts'
import {
  checked,
  choice,
  integerOrNull,
  secret,
  textOrNull,
  time,
  timeOrNull,
} from '../http/fields.ts'
import { PageQuery, Pagination } from '../http/page.ts'
import { isTarget } from '../outbound/url-guard.ts'
import type { DeliveryListRow } from '../webhooks/delivery-queries.ts'
import { EVENT_KINDS, type EventKind } from '../webhooks/kinds.ts'

const URL_MAX = 2000
/** Maximum length of a list of event kinds. Exceeds the number of kinds, because a list may repeat a kind. */
const EVENTS_MAX = 50

const KindName = choice(EVENT_KINDS)

const Webhook = Type.Object(
  {
    id: Type.String(),
    app_id: Type.String(),
    endpoint_url: Type.String(),
    events: Type.Array(KindName),
    is_active: Type.Boolean({ description: 'True when events are sent' }),
    failure_count: Type.Integer({
      description: 'Failed attempts since the last successful one',
    }),
    created_at: time(),
  },
  { title: 'Webhook' },
)
export type WebhookRecord = Static<typeof Webhook>
export const OneWebhook = Type.Object({ webhook: Webhook })
export const Webhooks = Type.Object({ webhooks: Type.Array(Webhook) })

const SHOWN_ONCE = 'Only in this response; null when it is replayed'
export const NewWebhook = Type.Object({
  webhook: Webhook,
  secret: secret(textOrNull({ description: `Sent as X-Service-Secret. ${SHOWN_ONCE}` })),
  signing_secret: secret(
    textOrNull({
      description: `Signs each request (Standard Webhooks). ${SHOWN_ONCE}`,
    }),
  ),
})

const EndpointUrl = Type.String({
  minLength: 1,
  maxLength: URL_MAX,
  description: 'http or https URL without credentials or fragment',
})
const Events = Type.Array(KindName, {
  minItems: 1,
  maxItems: EVENTS_MAX,
  description: 'Event kinds from `GET /devconsole/event-types`',
})

export const CreateWebhook = checked(
  Type.Object(
    { endpoint_url: EndpointUrl, events: Events },
    {
      examples: [
        {
          endpoint_url: 'https://river.example.com/plaza',
          events: ['content.published', 'jump.play'],
        },
      ],
    },
  ),
  checkWebhook,
)
export type CreateWebhookInput = Static<typeof CreateWebhook>

export const UpdateWebhook = checked(
  Type.Object(
    {
      endpoint_url: Type.Optional(EndpointUrl),
      events: Type.Optional(Events),
      is_active: Type.Optional(
        Type.Boolean({
          description:
            'False disables the webhook and fails pending deliveries; true enables a disabled webhook and resets its failure count',
        }),
      ),
    },
    { examples: [{ is_active: true }] },
  ),
  checkWebhook,
)
export type UpdateWebhookInput = Static<typeof UpdateWebhook>

function checkWebhook({ endpoint_url }: { endpoint_url?: string }, problems: Problem[]): void {
  if (typeof endpoint_url === 'string' && endpoint_url !== '' && !isTarget(endpoint_url)) {
    problems.push({ field: 'endpoint_url', key: 'invalid.endpoint_url' })
  }
}

/** Returns the stored form of a list of event kinds: without duplicates, in the order of EVENT_KINDS. */
export function eventsToJson(events: readonly EventKind[]): string {
  return JSON.stringify(EVENT_KINDS.filter((kind) => events.includes(kind)))
}

export function toWebhook(row: WebhookRow): WebhookRecord {
  return {
    id: row.id,
    app_id: row.app_id,
    endpoint_url: row.endpoint_url,
    events: JSON.parse(row.events),
    is_active: row.is_active === 1,
    failure_count: row.failure_count,
    created_at: iso(row.created_at),
  }
}

const Attempt = Type.Object(
  {
    at: time(),
    response_status: integerOrNull(),
    response_body: textOrNull({
      description: 'First 2 KiB of the response body; null without a response',
    }),
    error: textOrNull({
      description:
        'Null after success; otherwise `dns`, `connect`, `tls`, `timeout`, `blocked_address`, `redirect` or `http_status`',
    }),
    duration_ms: Type.Integer(),
  },
  { title: 'DeliveryAttempt' },
)

const Delivery = Type.Object(
  {
    id: Type.String(),
    event_id: Type.String({ description: 'Sent as `webhook-id` with every attempt' }),
    event: Type.String({ description: 'Event kind; `webhook.test` for a test' }),
    status: choice(['pending', 'delivered', 'failed']),
    attempt_count: Type.Integer(),
    attempts: Type.Array(Attempt),
    next_attempt_at: timeOrNull({ description: 'Null when the delivery has ended' }),
    created_at: time(),
  },
  { title: 'Delivery' },
)
export type DeliveryRecord = Static<typeof Delivery>
export const OneDelivery = Type.Object({ delivery: Delivery })
export const Deliveries = Type.Object({
  deliveries: Type.Array(Delivery),
  pagination: Pagination,
})
export const DeliveryQuery = Type.Object(PageQuery)

export function toDelivery(row: DeliveryListRow, attempts: WebhookAttemptRow[]): DeliveryRecord {
  return {
    id: row.id,
    event_id: row.event_id,
    event: row.kind,
    status: row.status,
    attempt_count: row.attempt_count,
    attempts: attempts.map(
      ({ at: startedAt, response_status, response_body, error, duration_ms }) => ({
        at: iso(startedAt),
        response_status,
        response_body,
        error,
        duration_ms,
      }),
    ),
    next_attempt_at: isoOrNull(row.next_attempt_at),
    created_at: iso(row.created_at),
  }
}

export const EventCatalogue = Type.Object({
  event_types: Type.Array(
    Type.Object(
      {
        name: KindName,
        description: Type.String({ description: 'In the language of the request' }),
        sample: Type.Unsafe<object>({
          type: 'object',
          additionalProperties: true,
          description: 'Sample request body',
        }),
      },
      { title: 'EventType' },
    ),
  ),
})
