import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import type { Actor } from '../../test/app.ts'
import { createPlaza, type Plaza, type PlazaOptions } from '../src/index.ts'
import { memorySession, type SessionStore } from '../src/session.ts'

export interface Sent {
  method: string
  target: string
  headers: Headers
  init: RequestInit
}

export function noting(): { fetch: typeof fetch; sent: Sent[] } {
  const sent: Sent[] = []
  const noted: typeof fetch = (input, init = {}) => {
    const { pathname, search } = new URL(String(input))
    const method = init.method ?? 'GET'
    sent.push({ method, target: pathname + search, headers: new Headers(init.headers), init })
    return fetch(input, init)
  }
  return { fetch: noted, sent }
}

export interface Client {
  plaza: Plaza
  store: SessionStore
  sent: Sent[]
  countRequests(method: string, target: string): number
}

export function clientOf(
  url: string,
  user?: Pick<Actor, 'token' | 'refreshToken'>,
  options: Partial<PlazaOptions> = {},
): Client {
  const { fetch: noted, sent } = noting()
  const store = options.session ?? memorySession()
  if (user) {
    void store.save({
      access_token: user.token,
      refresh_token: user.refreshToken,
      expires_at: Date.now() + 3_600_000,
    })
  }
  const plaza = createPlaza({ url, language: 'en', fetch: noted, ...options, session: store })
  const countRequests: Client['countRequests'] = (method, target) =>
    sent.filter((request) => request.method === method && request.target === target).length
  return { plaza, store, sent, countRequests }
}

export interface Asked {
  method: string
  target: string
  headers: IncomingMessage['headers']
  body: string
}

type Reply = (number: number, response: ServerResponse, asked: Asked) => void

/**
 * Starts a server that passes each request and its number, counted from 1, to `reply`. Returns the URL and the received
 * requests. The server stops after the tests of the file.
 */
export async function serverOf(reply: Reply): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      const { method = '', url: target = '', headers } = request
      const received = { method, target, headers, body }
      reply(asked.push(received), response, received)
    })
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

export function answer(
  response: ServerResponse,
  status: number,
  content: object,
  headers: Record<string, string> = {},
): void {
  const meta = { request_id: 'req_x', timestamp: new Date().toISOString(), version: 'v1' }
  const envelope = { success: status < 400, ...content, meta }
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(envelope))
}

export function refuse(
  response: ServerResponse,
  status: number,
  code: string,
  headers: Record<string, string> = {},
): void {
  answer(response, status, { error: { code, message: 'No.' } }, headers)
}
