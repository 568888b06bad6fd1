/** The upper bound: Fastify answering each route with bytes and headers that never change. */
import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import type { Recorded } from './answers.ts'

const [file = '', port = '0'] = process.argv.slice(2)
const recorded: Recorded[] = JSON.parse(readFileSync(file, 'utf8'))
const app = Fastify()
for (const { method, route, status, headers, body } of recorded) {
  app.route({
    method,
    url: route,
    handler: (_request, reply) => reply.code(status).headers(headers).send(body),
  })
}
process.on('SIGTERM', () => process.exit(0))
console.log(await app.listen({ host: '127.0.0.1', port: Number(port) }))
