/** Logged once at start by every process that may call webhooks. */
export const PRIVATE_WEBHOOKS =
  'WEBHOOK_ALLOW_PRIVATE is on: any user can make this server call private addresses'
