/** Streams each body to a file of its own, syncs it and answers: what uploads are measured against. */
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

const [folder = '', port = ''] = process.argv.slice(2)
const server = createServer(async (request, response) => {
  await pipeline(request, createWriteStream(join(folder, randomUUID()), { flush: true }))
  response.writeHead(201).end()
})
server.listen(Number(port), '127.0.0.1', () => console.log('listening'))
process.on('SIGTERM', () => process.exit(0))
