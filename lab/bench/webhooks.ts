import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { UserRow } from '../../src/db/tables.ts'
import { exampleContent } from '../../src/contents/example.ts'
import type { Db } from '../../src/db/handle.ts'
import { createApp } from '../../src/devconsole/rules.ts'
import { emit } from '../../src/webhooks/emit.ts'
import { createWebhook } from '../../src/devconsole/webhook-rules.ts'
import { Harness } from '../harness/harness.ts'
import { makeUsers } from '../harness/users.ts'
import { median, type Setup } from '../../bench/report.ts'
import { SECRETS } from '../../bench/servers.ts'
import { startOn } from './compare.ts'

/**
 * Measured numbers of webhooks, and of events per webhook. The events exist before the server starts, so that only
 * deliveries are measured.
 */
const SHAPES = [
  { name: 'one webhook', webhooks: 1, events: 500 },
  { name: 'twenty webhooks', webhooks: 20, events: 100 },
]

export async function measureWebhooks(harness: Harness, { rounds }: Setup): Promise<void> {
  const rows = []
  for (const { name, webhooks, events } of SHAPES) {
    const rates: number[] = []
    while (rates.length < rounds) {
      const own = await Harness.make(harness.postgres)
      try {
        rates.push(await measure(own, webhooks, events))
      } finally {
        await own.close()
      }
    }
    const rate = Math.round(median(rates))
    rows.push({ name, deliveries: webhooks * events, deliveries_per_second: rate })
  }
  console.table(rows)
}

async function measure(harness: Harness, webhooks: number, events: number): Promise<number> {
  const receiver = createServer()
  harness.atEnd(() => receiver.close())
  harness.atEnd(() => receiver.closeAllConnections())
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  const { port } = receiver.address() as AddressInfo
  await harness.withDatabase(async (db) => {
    for (const { user } of await makeUsers(db, webhooks)) {
      await makeListener(db, user, `http://127.0.0.1:${port}/`)
      await makeEvents(db, user.id, events)
    }
  })
  const seconds = timeOf(receiver, webhooks * events)
  await startOn(harness, { WEBHOOK_ALLOW_PRIVATE: 'on' })
  return (webhooks * events) / (await seconds)
}

function timeOf(receiver: Server, requests: number): Promise<number> {
  let [came, start] = [0, 0]
  return new Promise((done) => {
    receiver.on('request', (request, response) => {
      if (came === 0) start = performance.now()
      came += 1
      request.resume().on('end', () => response.end())
      if (came === requests) done((performance.now() - start) / 1000)
    })
  })
}

async function makeListener(db: Db, user: UserRow, endpoint_url: string): Promise<void> {
  const now = Date.now()
  const owner = { ...user, permissions: [], isVerified: true }
  const app = await createApp(db, owner, { app_name: 'Bench', app_type: 'server' }, now)
  const encryptionKey = SECRETS.ENCRYPTION_KEY
  const events = ['content.published' as const]
  await createWebhook(db, owner, app.id, { endpoint_url, events, encryptionKey }, now)
}

async function makeEvents(db: Db, ownerId: string, count: number): Promise<void> {
  const data = () => Promise.resolve({ content: exampleContent })
  await db.transaction(async (tx) => {
    for (let i = 0; i < count; i++) await emit(tx, ownerId, 'content.published', Date.now(), data)
  })
}
