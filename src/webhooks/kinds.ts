/**
 * Event kinds that webhooks can subscribe to (contract, section 3, Webhook). All concern the owner's own
 * content items and profile.
 */
export const EVENT_KINDS = [
  'content.published',
  'content.updated',
  'content.archived',
  'content.liked',
  'comment.created',
  'creator.followed',
  'jump.play',
] as const

export type EventKind = (typeof EVENT_KINDS)[number]

/** Kind of the event that the test route sends, whatever the webhook subscribes to. */
export const TEST_KIND = 'webhook.test'
