/**
 * Kinds of webhook events (docs/api.md, Webhooks). Each event concerns the content or profile of the webhook's
 * owner.
 */
export const EVENT_KINDS = [
  'content.published',
  'content.updated',
  'content.archived',
  'content.erased',
  'content.hidden',
  'content.restored',
  'content.liked',
  'comment.created',
  'creator.followed',
  'jump.play',
] as const

export type EventKind = (typeof EVENT_KINDS)[number]

/** Kind of test events, which a webhook receives without a subscription. */
export const TEST_KIND = 'webhook.test'
