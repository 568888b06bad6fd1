/** Bare file server as a baseline: GET streams a file of a folder, POST streams the body to a new file and syncs it. */
import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'

const [folder = '', port = ''] = process.argv.slice(2)

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'GET') {
    const path = join(folder, basename(request.url ?? ''))
    response.writeHead(200, { 'content-length': (await stat(path)).size })
    await pipeline(createReadStream(path), response)
  } else {
    await pipeline(request, createWriteStream(join(folder, randomUUID()), { flush: true }))
    response.writeHead(201).end()
  }
}

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.destroy())
})
server.listen(Number(port), '127.0.0.1', () => console.log('listening'))
process.on('SIGTERM', () => process.exit(0))
