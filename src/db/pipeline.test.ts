import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { dropDatabase, newDatabase } from '../../test/app.ts'
import { layWire } from '../../test/wire.ts'
import { sendPipeline } from './pipeline.ts'
import { DatabaseUnavailable } from './handle.ts'
import { translate } from './postgres-errors.ts'

const url = await newDatabase()
after(async () => {
  if (url) await dropDatabase(url)
})

test('closes the connection when the server hangs, and does not use it again', {
  skip: url ? false : 'needs PostgreSQL',
}, async () => {
  const wire = await layWire(url as string)
  const pool = new pg.Pool({ connectionString: wire.through(url as string), max: 1 })
  pool.on('error', () => {})
  try {
    const order = { text: 'select 1 as one', values: [] }
    const client = await pool.connect()
    client.on('error', () => {})
    assert.deepEqual((await sendPipeline(client, [order], 1000))[0]?.rows, [{ one: 1 }])
    await new Promise((resolve) => setTimeout(resolve, 1100))
    // Checks that the timers of completed batches do not close the connection.
    assert.equal((await sendPipeline(client, [order], 1000)).length, 1)
    wire.hang()
    const start = Date.now()
    const failure = await sendPipeline(client, [order], 100).catch((error: unknown) => error)
    assert.ok(translate(failure) instanceof DatabaseUnavailable, String(failure))
    assert.ok(Date.now() - start < 2000)
    client.release()
    await wire.mend()
    const another = await pool.connect()
    assert.notEqual(another, client)
    assert.equal((await sendPipeline(another, [order], 1000)).length, 1)
    another.release()
  } finally {
    await pool.end()
    await wire.close()
  }
})

test('rejects statements when the connection never becomes ready', {
  skip: url ? false : 'needs PostgreSQL',
}, async () => {
  const client = new pg.Client({ connectionString: url as string })
  client.on('error', () => {})
  await client.connect()
  const busy = client.query('select pg_sleep(30)').catch(() => {})
  const failure = await sendPipeline(client, [{ text: 'select 1', values: [] }], 100).catch(
    (error: unknown) => error,
  )
  assert.ok(translate(failure) instanceof DatabaseUnavailable, String(failure))
  await busy
  await client.end()
})

test('treats a read-only server, such as a standby, as unavailable', {
  skip: url ? false : 'needs PostgreSQL',
}, async () => {
  const client = new pg.Client({
    connectionString: url as string,
    options: '-c default_transaction_read_only=on',
  })
  await client.connect()
  try {
    const order = { text: 'create table t (a int)', values: [] }
    const failure = await sendPipeline(client, [order]).catch((error: unknown) => error)
    assert.ok(translate(failure) instanceof DatabaseUnavailable, String(failure))
  } finally {
    await client.end()
  }
})
