/** HTTP client that sends requests without normalizing them. */
import { Pool as Connections } from 'undici'
import type { Loose } from '../../test/actors.ts'

export interface Sent {
  method: string
  path: string
  headers: Record<string, string>
  body: string | Buffer | undefined
}

export interface Got {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  json: Loose
  ms: number
}

const DEADLINE_MS = 20_000

export class Client {
  readonly #connections: Connections

  constructor(url: string, connections: number) {
    this.#connections = new Connections(url, {
      connections,
      headersTimeout: DEADLINE_MS,
      bodyTimeout: DEADLINE_MS,
    })
  }

  async send({ method, path, headers, body }: Sent): Promise<Got> {
    const start = performance.now()
    const answer = await this.#connections.request({
      method,
      path,
      headers,
      body: body ?? null,
    })
    const text = await answer.body.text()
    const ms = performance.now() - start
    return { status: answer.statusCode, headers: answer.headers, text, json: parse(text), ms }
  }

  close(): Promise<void> {
    return this.#connections.destroy()
  }
}

function parse(text: string): Loose {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function shown({ method, path, headers, body }: Sent): string {
  const lines = [`${method} ${cut(path)}`]
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${cut(value)}`)
  if (body !== undefined) lines.push('', cut(String(body)))
  return lines.join('\n')
}

export function cut(text: string): string {
  return text.length <= 600 ? text : `${text.slice(0, 600)}… (${text.length} characters)`
}
