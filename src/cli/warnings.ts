/** Warning that every process that may call webhooks logs once at its start. */
export const PRIVATE_WEBHOOKS =
  'WEBHOOK_ALLOW_PRIVATE is on: any user can make this server call private addresses'
