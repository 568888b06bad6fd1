import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import type { Actor, Loose, TestApp } from './app.ts'
import { dataOf, makeApp } from './make.ts'

export interface Received {
  headers: IncomingHttpHeaders
  text: string
  event: Loose
}

interface Reply {
  status?: number
  headers?: Record<string, string>
  body?: string
  delayMs?: number
}

/** Returns the reply to a request. `number` is the position of the request, counted from 1. */
type Answering = (number: number, received: Received) => Reply | Promise<Reply>

export interface Receiver {
  url: string
  port: number
  received: Received[]
  connections: number
  atOnce: number
  nth(number: number): Promise<Received>
  answer: Answering
}

export const taking: Answering = () => ({})
export const refusing: Answering = () => ({ status: 500 })

export async function receive(answer: Answering = taking): Promise<Receiver> {
  const server = createServer()
  let open = 0
  const receiver: Receiver = {
    url: '',
    port: 0,
    received: [],
    connections: 0,
    atOnce: 0,
    answer,
    nth: async (number) => {
      await until(() => receiver.received.length >= number, `${number} requests`)
      return receiver.received[number - 1] as Received
    },
  }
  server.on('connection', () => (receiver.connections += 1))
  server.on('request', (request, response) => {
    open += 1
    receiver.atOnce = Math.max(receiver.atOnce, open)
    response.on('close', () => (open -= 1))
    let text = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    const answerAll = async () => {
      const received = { headers: request.headers, text, event: JSON.parse(text) }
      const number = receiver.received.push(received)
      const reply = await receiver.answer(number, received)
      const { status = 200, body = '', delayMs = 0 } = reply
      if (delayMs > 0) await new Promise((done) => setTimeout(done, delayMs).unref())
      response.writeHead(status, reply.headers).end(body)
    }
    request.on('end', () => void answerAll())
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  receiver.port = (server.address() as AddressInfo).port
  receiver.url = `http://127.0.0.1:${receiver.port}/hook?from=plaza`
  return receiver
}

export async function until(
  condition: () => boolean | Promise<boolean>,
  what = 'the condition',
  patienceMs = 60_000,
): Promise<void> {
  const deadline = Date.now() + patienceMs
  while (!(await condition())) {
    assert.ok(Date.now() < deadline, `timed out waiting for ${what}`)
    await new Promise((done) => setTimeout(done, 10))
  }
}

export async function makeWebhook(
  owner: Actor,
  url: string,
  events: string[] = ['content.published'],
): Promise<Loose> {
  const { id } = await makeApp(owner)
  const body = { endpoint_url: url, events }
  return dataOf(await owner.post(`/devconsole/apps/${id}/webhooks`, body), 201)
}

/** Creates a user with a webhook, and the server that receives its deliveries. */
export async function makeListener(
  app: TestApp,
  answer: Answering = taking,
  events?: string[],
): Promise<{ owner: Actor; receiver: Receiver; webhook: Loose; signing_secret: string }> {
  const owner = await app.user()
  const receiver = await receive(answer)
  return { owner, receiver, ...(await makeWebhook(owner, receiver.url, events)) }
}

export async function deliveriesOf(owner: Actor, webhookId: string): Promise<Loose[]> {
  return dataOf(await owner.get(`/devconsole/webhooks/${webhookId}/deliveries?per_page=100`))
    .deliveries
}

/**
 * Waits until a webhook has at least one delivery and none is pending. Returns all its deliveries, newest
 * first.
 */
export async function endedDeliveries(owner: Actor, webhookId: string): Promise<Loose[]> {
  let found: Loose[] = []
  const haveEnded = async () => {
    found = await deliveriesOf(owner, webhookId)
    return found.length > 0 && found.every(({ status }) => status !== 'pending')
  }
  await until(haveEnded, 'the end of all deliveries')
  return found
}

export async function attempted(owner: Actor, webhookId: string, attempts: number): Promise<Loose> {
  let newest: Loose
  const exists = async () => {
    ;[newest] = await deliveriesOf(owner, webhookId)
    return newest?.attempt_count >= attempts
  }
  await until(exists, `${attempts} attempts`)
  return newest
}

/** Advances the clock of the first server and makes the given servers look for due deliveries. */
export function pass(ms: number, ...apps: TestApp[]): void {
  apps[0]?.clock.advance(ms)
  for (const { deps } of apps) deps.deliveries.wake()
}
