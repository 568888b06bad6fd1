import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
describe('suite', () => {
  test('engine', async () => {
    assert.equal(process.env.NODE_ENV, 'test')
    assert.equal(process.env.DATABASE_URL, undefined)
    assert.equal(process.env.PORT, undefined)
    if (process.env.TEST_ENGINE !== 'postgres') return
    const client = new pg.Client(process.env.TEST_DATABASE_URL)
    await client.connect()
    await client.query('create database zz')
    const { rows } = await client.query(
      "select datcollate, pg_encoding_to_char(encoding) e, current_setting('fsync') f, current_setting('max_connections') m, current_setting('unix_socket_directories') u, version() from pg_database where datname='zz'",
    )
    console.log(rows)
    await client.query('drop database zz')
    await client.end()
    console.log(process.version, Object.keys(process.env).join(' '))
  })
  test('parent', async (t) => {
    await t.test('child', () => {})
  })
  test('skipped', { skip: true }, () => {})
  test('todo', { todo: true }, () => {
    assert.fail('x')
  })
  test('slow', async () => {
    await sleep(Number(process.env.LC_SLEEP ?? 10))
  })
})
