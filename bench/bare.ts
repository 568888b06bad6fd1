/**
 * Baseline server that sends recorded responses with Fastify alone. No server with the same responses can be
 * faster.
 */
import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import type { Recorded } from './compare.ts'

const [file = '', port = '0'] = process.argv.slice(2)
const recorded: Recorded[] = JSON.parse(readFileSync(file, 'utf8'))
const app = Fastify()
// Rows whose paths differ only in the query share a route.
for (const answers of Map.groupBy(
  recorded,
  (answer) => `${answer.method} ${answer.route}`,
).values()) {
  const [first] = answers as [Recorded]
  const byPath = new Map(answers.map((answer) => [answer.path, answer]))
  app.route({
    method: first.method,
    url: first.route,
    handler: (request, reply) => {
      const { status, headers, body } = byPath.get(request.url) ?? first
      return reply.code(status).headers(headers).send(body)
    },
  })
}
process.on('SIGTERM', () => process.exit(0))
console.log(await app.listen({ host: '127.0.0.1', port: Number(port) }))
