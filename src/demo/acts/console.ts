import { setTimeout as sleep } from 'node:timers/promises'
import type { Cast } from '../cast.ts'
import type { Act } from '../play.ts'
import { DAY, HOUR } from '../times.ts'
import type { Entity, User, World } from '../world.ts'

const POLL_MS = 200
const POLLS = 25
const AFTERWARDS = 'https://studio.example.com/plaza'

/**
 * Returns the acts of a user who creates an app with a webhook. `endpoint_url` is the address of the demo's
 * webhook listener.
 */
export function consoleActs(cast: Cast, { users }: World, endpoint_url: string): Act[] {
  const [first] = users as [User]
  const plaza = () => cast.as(first)
  const app: Entity = { id: '', created_at: first.until - 2 * DAY }
  const webhook: Entity = { id: '', created_at: app.created_at + HOUR }
  return [
    {
      time: app.created_at,
      needs: [first],
      makes: app,
      run: async () => {
        const made = await plaza().apps.create({
          app_name: 'Night uploader',
          app_type: 'server',
          description: 'Publishes what was rendered overnight.',
          scopes: ['contents:read', 'contents:write', 'webhooks:manage'],
        })
        app.id = made.app.id
        const createKey = (key_name: string, environment: 'live' | 'test') =>
          plaza().keys.create(app.id, { key_name, environment, scopes: ['contents:write'] })
        await createKey('Studio machine', 'live')
        await createKey('Trying things out', 'test')
        const lost = await createKey('Old laptop', 'live')
        await plaza().keys.revoke(lost.key.id)
      },
    },
    {
      time: webhook.created_at,
      needs: [app],
      makes: webhook,
      run: async () => {
        const made = await plaza().webhooks.create(app.id, {
          endpoint_url,
          events: ['content.published', 'comment.created', 'creator.followed'],
        })
        webhook.id = made.webhook.id
        await plaza().webhooks.test(webhook.id)
      },
    },
    {
      // Gives the webhook an example address and disables it, because the demo's webhook listener closes at the end.
      time: first.until,
      needs: [webhook],
      isLast: true,
      run: async () => {
        // Waits up to five seconds for pending deliveries, which depend on real time.
        for (let tries = 0; tries < POLLS; tries++) {
          const { deliveries } = await plaza().webhooks.listDeliveries(webhook.id, {
            per_page: 100,
          })
          if (!deliveries.some(({ status }) => status === 'pending')) break
          await sleep(POLL_MS)
        }
        await plaza().webhooks.update(webhook.id, { endpoint_url: AFTERWARDS, is_active: false })
      },
    },
  ]
}
