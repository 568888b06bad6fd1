import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { mock, test } from 'node:test'
import { PASSWORD } from '../../test/actors.ts'
import { startApp } from '../../test/app.ts'
import { until } from '../../test/receiver.ts'

const app = await startApp()

test('stores the client address of a login whose client disconnects in the queue', async () => {
  const alice = await app.user()
  await app.sql('delete from sessions')
  const errors = mock.method(app.deps.log, 'error')
  const { passwords } = app.deps
  const [queued, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const withSlot = passwords.withSlot.bind(passwords)
  mock.method(passwords, 'withSlot', async (action: Parameters<typeof withSlot>[0]) => {
    queued.resolve()
    await gate.promise
    return withSlot(action)
  })
  const { hostname, port } = new URL(app.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const body = JSON.stringify({ identifier: alice.handle, password: PASSWORD })
  const head = ['POST /api/v1/auth/login HTTP/1.1', 'host: x', 'content-type: application/json']
  socket.write(`${head.join('\r\n')}\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
  await queued.promise
  socket.resetAndDestroy()
  await once(socket, 'close')
  // The server receives these requests after the connection reset, so its responses show that it has processed the
  // reset.
  for (let i = 0; i < 5; i++) await app.anon.get('/health')
  gate.resolve()
  const sessions = () => app.sql('select user_id, ip from sessions')
  await until(async () => (await sessions()).length > 0 || errors.mock.callCount() > 0, 'an end')
  assert.equal(errors.mock.callCount(), 0)
  assert.deepEqual(
    (await sessions()).map(({ user_id, ip }) => [user_id, ip]),
    [[alice.id, '127.0.0.1']],
  )
})
