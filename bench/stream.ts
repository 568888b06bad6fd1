/** Streams each request body to a new file and syncs it, as the baseline for uploads. */
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

const [folder = '', port = ''] = process.argv.slice(2)
async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  await pipeline(request, createWriteStream(join(folder, randomUUID()), { flush: true }))
  response.writeHead(201).end()
}

const server = createServer((request, response) => void receive(request, response))
server.listen(Number(port), '127.0.0.1', () => console.log('listening'))
process.on('SIGTERM', () => process.exit(0))
