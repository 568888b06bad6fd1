/** Serves a folder with only @fastify/static, as the baseline for Plaza's files. */
import fastifyStatic from '@fastify/static'
import Fastify from 'fastify'

const [root = '', port = ''] = process.argv.slice(2)
const app = Fastify()
app.register(fastifyStatic, { root, prefix: '/uploads/', maxAge: '365d', immutable: true })
await app.listen({ host: '127.0.0.1', port: Number(port) })
console.log('listening')
process.on('SIGTERM', () => process.exit(0))
