/** Rows of apps, API keys, webhooks and their deliveries. */
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

/** A key of an app, or a user's legacy key, which has no app, environment or scopes. */
export interface ApiKeyRow {
  id: string
  owner_id: string
  app_id: string | null
  key_name: string
  environment: KeyEnvironment | null
  /** SHA-256 of the raw key in base64url. Keys are looked up by it. */
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

/** An app's subscription of a URL to events. */
export interface WebhookRow {
  id: string
  owner_id: string
  app_id: string
  endpoint_url: string
  /** JSON list of event kinds. */
  events: string
  /** 0 after the owner, repeated failures or deletion switched the webhook off. */
  is_active: Flag
  /** Failed attempts since the last success. */
  failure_count: number
  /** Time of the first of the failures in `failure_count`. */
  failing_since: number | null
  /** Time of the last of the failures in `failure_count`. */
  failed_at: number | null
  /** Milliseconds of continuous failure, counting only time measured by a trusted clock. */
  failing_ms: number
  /** Encrypted; sent with every attempt. All secrets become null when the webhook is deleted. */
  secret: string | null
  /** Encrypted; the key that signs every attempt. */
  signing_secret: string | null
  /** Encrypted; the previous signing secret, which also signs until `previous_until`. */
  previous_signing_secret: string | null
  previous_until: number | null
  /** Number of stored deliveries that have ended. */
  ended_count: number
  /** Random token of the process that currently delivers. */
  lease: string | null
  /** End of the lease, or the time it was released. The webhook that has waited longest is next. */
  leased_until: number | null
  created_at: number
  updated_at: number
  deleted_at: number | null
}

export interface WebhookEventRow {
  id: string
  kind: string
  created_at: number
  /** The exact body that every attempt sends. */
  payload: string
}

export type DeliveryCause = 'event' | 'test' | 'redelivery'
export type DeliveryStatus = 'pending' | 'delivered' | 'failed'

/** One delivery of an event to a webhook. */
export interface WebhookDeliveryRow {
  id: string
  webhook_id: string
  event_id: string
  cause: DeliveryCause
  status: DeliveryStatus
  attempt_count: number
  /**
   * Set while pending. During a first attempt that a user requested, it is the time after which that
   * attempt counts as lost.
   */
  next_attempt_at: number | null
  /** Time at which `next_attempt_at` was set. It lies in the future only if a clock was ahead. */
  scheduled_at: number
  ended_at: number | null
  created_at: number
}

export interface WebhookAttemptRow {
  delivery_id: string
  /** Starts at 1. */
  number: number
  at: number
  response_status: number | null
  /** Start of the response body; null without a response. */
  response_body: string | null
  /** The failure; null after a success. */
  error: string | null
  duration_ms: number
}
