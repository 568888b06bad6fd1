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
  /** SHA-256 of the raw key in base64url. */
  key_hash: string
  key_prefix: string
  last_four: string
  /** JSON list of scopes; null for a legacy key. */
  scopes: string | null
  last_used_at: number | null
  expires_at: number | null
  revoked_at: number | null
  created_at: number
}

export interface WebhookRow {
  id: string
  owner_id: string
  app_id: string
  endpoint_url: string
  /** JSON list of event types. */
  events: string
  /** 0 when the owner, repeated failures or a 410 response disabled the webhook, or when it is deleted. */
  is_active: Flag
  /** Number of failed attempts since the last success, or since the owner enabled the webhook or changed its URL. */
  failure_count: number
  /** Time of the first failure counted in `failure_count`. */
  failing_since: number | null
  /** Time of the last failure counted in `failure_count`. */
  failed_at: number | null
  /**
   * Milliseconds from the first to the last failure counted in `failure_count`. Intervals with an unreliable clock
   * do not count.
   */
  failing_ms: number
  /** Encrypted service secret, which each request contains. Deleting the webhook sets all secrets to null. */
  secret: string | null
  /** Encrypted key that signs each request. */
  signing_secret: string | null
  /** Encrypted previous signing key, which also signs each request until `previous_until`. */
  previous_signing_secret: string | null
  previous_until: number | null
  /** Number of stored deliveries that are delivered or failed. */
  ended_count: number
  /** Random token of the lease under which a process delivers this webhook's events. Null after its release. */
  lease: string | null
  /**
   * Time when the lease ends or was released. Of a user's equally healthy webhooks, the server next serves the one
   * with the earliest time.
   */
  leased_until: number | null
  created_at: number
  updated_at: number
  deleted_at: number | null
}

export interface WebhookEventRow {
  id: string
  kind: string
  created_at: number
  /** Request body, identical for every attempt. */
  payload: string
}

export type DeliveryCause = 'event' | 'test' | 'redelivery'
export type DeliveryStatus = 'pending' | 'delivered' | 'failed'

export interface WebhookDeliveryRow {
  id: string
  webhook_id: string
  event_id: string
  cause: DeliveryCause
  status: DeliveryStatus
  attempt_count: number
  /**
   * Time of the next attempt; null when the delivery has ended. While the first attempt of a test or a redelivery runs,
   * the time at which another process would repeat the attempt.
   */
  next_attempt_at: number | null
  /** Time when `next_attempt_at` was set. A value in the future means that the clock was ahead. */
  scheduled_at: number
  ended_at: number | null
  created_at: number
}

export interface WebhookAttemptRow {
  delivery_id: string
  number: number
  at: number
  response_status: number | null
  /** Start of the response body; null when no response arrived. */
  response_body: string | null
  /** Kind of the failure; null after a success. */
  error: string | null
  duration_ms: number
}
