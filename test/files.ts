import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { TestApp } from './app.ts'

/** Stores these bytes as an upload would, but without a database row. Returns the path. */
export async function putFile(
  app: TestApp,
  bytes: Buffer | string,
  name = '.png',
): Promise<string> {
  const path = createHash('sha256').update(bytes).digest('hex') + name
  const { store, staging } = app.deps
  const file = staging.newFile()
  writeFileSync(file, bytes)
  await store.put(path, file, 'application/octet-stream')
  return path
}

interface WireAnswer {
  status: number
  headers: Record<string, string>
  body: Buffer
}

/** Sends a request target byte for byte, including targets that HTTP clients would normalize. */
export function askOnWire(url: string, target: string, method = 'GET'): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const head = `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () =>
      socket.write(Buffer.from(head, 'latin1')),
    )
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(toAnswer(Buffer.concat(chunks))))
  })
}

function toAnswer(received: Buffer): WireAnswer {
  const end = received.indexOf('\r\n\r\n')
  const [first = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n')
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
      }),
    ),
    body: received.subarray(end + 4),
  }
}

/** Creates a folder that is removed after the current test, or after the tests of the file. */
export function temporaryFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
