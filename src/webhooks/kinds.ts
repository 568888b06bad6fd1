/**
 * Kinds of webhook events (contract, section 3, Webhook). Each event concerns the content or profile of the
 * webhook's owner.
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

/** Sent to a webhook without a subscription. */
export const TEST_KIND = 'webhook.test'
