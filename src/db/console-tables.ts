/** Rows of apps, API keys, webhooks and what they are sent. */
import type { Flag } from './flag.ts'

export type AppType = 'web' | 'mobile' | 'server' | 'cli' | 'game'

export interface AppRow {
  id: string
  owner_id: string
  app_name: string
  app_type: AppType
  description: string | null
  /** JSON list of strings. */
  redirect_uris: string
  /** JSON list of scopes. */
  scopes: string
  created_at: number
  updated_at: number
  deleted_at: number | null
}

export type KeyEnvironment = 'live' | 'test'

/** A key of an app, or a legacy key of a person: that one has no app, environment and scopes. */
export interface ApiKeyRow {
  id: string
  owner_id: string
  app_id: string | null
  key_name: string
  environment: KeyEnvironment | null
  /** SHA-256 of the raw key, base64url: what a key is looked up by. */
  key_hash: string
  key_prefix: string
  last_four: string
  /** JSON list of scopes. */
  scopes: string | null
  last_used_at: number | null
  expires_at: number | null
  revoked_at: number | null
  created_at: number
}

/** An address that is told of events, for an app. */
export interface WebhookRow {
  id: string
  owner_id: string
  app_id: string
  endpoint_url: string
  /** JSON list of kinds of events. */
  events: string
  /** 0 once switched off, by its owner or because it fails; and once deleted. */
  is_active: Flag
  /** Attempts that failed since the last one that did not. */
  failure_count: number
  /** Time of the first of these failures. */
  failing_since: number | null
  /** Time of the last of these failures. */
  failed_at: number | null
  /** Milliseconds of continuous failure, counting only time measured by a trusted clock. */
  failing_ms: number
  /** Sealed: sent with every attempt. The secrets are null once the webhook is deleted. */
  secret: string | null
  /** Sealed: signs every attempt. */
  signing_secret: string | null
  /** Sealed: the one before, which signs too until `previous_until`. */
  previous_signing_secret: string | null
  previous_until: number | null
  /** Deliveries that ended and are still kept. */
  ended_count: number
  /** Random: proves which process delivers now. */
  lease: string | null
  /** When the lease ends, or was given back: of several, who has waited longest is next. */
  leased_until: number | null
  created_at: number
  updated_at: number
  deleted_at: number | null
}

export interface WebhookEventRow {
  id: string
  kind: string
  created_at: number
  /** The body as it is sent, byte for byte, at every attempt. */
  payload: string
}

export type DeliveryCause = 'event' | 'test' | 'redelivery'
export type DeliveryStatus = 'pending' | 'delivered' | 'failed'

/** An event on its way to a webhook. */
export interface WebhookDeliveryRow {
  id: string
  webhook_id: string
  event_id: string
  cause: DeliveryCause
  status: DeliveryStatus
  attempt_count: number
  /** While it is pending; in the midst of a first attempt that was asked for, when that counts as lost. */
  next_attempt_at: number | null
  /** Time at which `next_attempt_at` was set. In the future only if a clock was ahead. */
  scheduled_at: number
  ended_at: number | null
  created_at: number
}

export interface WebhookAttemptRow {
  delivery_id: string
  /** From 1. */
  number: number
  at: number
  response_status: number | null
  /** Its start; null without an answer. */
  response_body: string | null
  /** What failed; null where it was taken. */
  error: string | null
  duration_ms: number
}
