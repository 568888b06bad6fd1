export const PRIVATE_WEBHOOKS =
  'WEBHOOK_ALLOW_PRIVATE is on: any user can make this server call private addresses'
