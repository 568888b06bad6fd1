/** Makes an app of the first user in the developer console, with keys and a webhook. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cast } from '../cast.ts'
import type { Act } from '../play.ts'
import { DAY, HOUR } from '../times.ts'
import type { Entity, User, World } from '../world.ts'

const POLL_MS = 200
const POLLS = 25
const AFTERWARDS = 'https://studio.example.com/plaza'

interface Webhook extends Entity {
  app: string
}

/** `endpoint` is the listener's address during the demo. */
export function consoleActs(cast: Cast, { users }: World, endpoint: string): Act[] {
  const [first] = users as [User]
  const plaza = () => cast.as(first)
  const opened = first.until - 2 * DAY
  const webhook: Webhook = { id: '', at: opened + HOUR, app: '' }
  return [
    { at: opened, needs: [first], makes: webhook, run: () => openApp(cast, first, webhook) },
    {
      at: webhook.at,
      needs: [webhook],
      makes: webhook,
      run: async () => {
        const events = ['content.published', 'comment.created', 'creator.followed'] as const
        const wanted = { app_id: webhook.app, endpoint_url: endpoint, events: [...events] }
        webhook.id = (await plaza().createWebhook(wanted)).webhook.id
        await plaza().testWebhook({ webhook_id: webhook.id })
      },
    },
    {
      // The listener closes with the demo, so the webhook is disabled and gets a public address.
      at: first.until,
      needs: [webhook],
      isLast: true,
      run: async () => {
        await waitForDeliveries(cast, first, webhook.id)
        const after = { endpoint_url: AFTERWARDS, is_active: false }
        await plaza().updateWebhook({ webhook_id: webhook.id, ...after })
      },
    },
  ]
}

async function openApp(cast: Cast, first: User, webhook: Webhook): Promise<void> {
  const plaza = cast.as(first)
  const { app } = await plaza.createApp({
    app_name: 'Night uploader',
    app_type: 'server',
    description: 'Publishes what was rendered overnight.',
    scopes: ['contents:read', 'contents:write', 'webhooks:manage'],
  })
  webhook.app = app.id
  const target = { app_id: app.id, scopes: ['contents:write' as const] }
  await plaza.createKey({ ...target, key_name: 'Studio machine', environment: 'live' })
  await plaza.createKey({ ...target, key_name: 'Trying things out', environment: 'test' })
  const lost = await plaza.createKey({ ...target, key_name: 'Old laptop', environment: 'live' })
  await plaza.revokeKey({ key_id: lost.key.id })
}

/** Waits for the deliveries, which depend on real time. Those still open end with the webhook. */
async function waitForDeliveries(cast: Cast, first: User, webhook_id: string): Promise<void> {
  for (let tries = 0; tries < POLLS; tries++) {
    const { deliveries } = await cast.as(first).listDeliveries({ webhook_id, per_page: 100 })
    if (!deliveries.some(({ status }) => status === 'pending')) return
    await sleep(POLL_MS)
  }
}
