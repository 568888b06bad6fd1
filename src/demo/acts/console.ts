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
        const wanted = { endpoint_url: endpoint, events: [...events] }
        webhook.id = (await plaza().webhooks.create(webhook.app, wanted)).webhook.id
        await plaza().webhooks.test(webhook.id)
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
        await plaza().webhooks.update(webhook.id, after)
      },
    },
  ]
}

async function openApp(cast: Cast, first: User, webhook: Webhook): Promise<void> {
  const plaza = cast.as(first)
  const { app } = await plaza.apps.create({
    app_name: 'Night uploader',
    app_type: 'server',
    description: 'Publishes what was rendered overnight.',
    scopes: ['contents:read', 'contents:write', 'webhooks:manage'],
  })
  webhook.app = app.id
  const createKey = (key_name: string, environment: 'live' | 'test') =>
    plaza.keys.create(app.id, { key_name, environment, scopes: ['contents:write'] })
  await createKey('Studio machine', 'live')
  await createKey('Trying things out', 'test')
  const lost = await createKey('Old laptop', 'live')
  await plaza.keys.revoke(lost.key.id)
}

/** Waits for the deliveries, which depend on real time. Those still open end with the webhook. */
async function waitForDeliveries(cast: Cast, first: User, webhook_id: string): Promise<void> {
  for (let tries = 0; tries < POLLS; tries++) {
    const { deliveries } = await cast
      .as(first)
      .webhooks.listDeliveries(webhook_id, { per_page: 100 })
    if (!deliveries.some(({ status }) => status === 'pending')) return
    await sleep(POLL_MS)
  }
}
