/** What webhooks can ask for (contract, section 3, Webhook): all of it about the owner's own works and profile. */
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

/** What the test route sends, whatever the webhook asked for. */
export const TEST_KIND = 'webhook.test'
