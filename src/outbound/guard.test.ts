import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { isIP } from 'node:net'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { answering, listen, ok } from '../../test/peer.ts'
import { Outbound } from './outbound.ts'

const REQUEST = { headers: { 'x-secret': 'canary' }, body: '{}' }
const BLOCKED = { status: null, body: '', error: 'blocked_address', retryAfter: null }

/** Spellings of addresses of this machine. Without the guard, each would reach this machine. */
const THIS_MACHINE = words(`
  127.0.0.1 127.1 127.0.1 2130706433 0x7f000001 0X7F.0.0.1 0x7f.1 017700000001 0177.0.0.1 0177.0.1
  127.0.0.1. 127.0.0.0x1 00177.0.0.01 ①②⑦.⓪.⓪.① 127。0。0。1 １２７.0.0.1 %31%32%37.0.0.1 127.0.0.2
  127.255.255.254 user:pass@127.0.0.1 example.com@127.0.0.1 0 0.0.0.0 0x0 00.0
  localhost LOCALHOST LocalHost loc%61lhost ｌocalhost [::1] [::] [0:0:0:0:0:0:0:1] [0000::0001]
  [::0.0.0.1] [::ffff:127.0.0.1] [::FFFF:7F00:1] [::ffff:7f00:1] [0:0:0:0:0:ffff:7f00:0001]
  [::ffff:0.0.0.0]`)
const ELSEWHERE = words(`
  10.0.0.1 10.1 012.0.0.1 0xa.0.0.1 167772161 172.16.0.1 172.31.255.255 192.168.0.1 192.168.257
  0300.0250.0.1 3232235521 100.64.0.9 100.100.100.200 169.254.169.254 2852039166 0xa9fea9fe
  0251.0376.0251.0376 169.254.43518 168.63.129.16 0.1.2.3 192.0.0.192 192.0.2.1 198.18.0.1
  198.51.100.1 203.0.113.9 192.88.99.1 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255
  [::127.0.0.1] [::7f00:1] [::ffff:8.8.8.8] [::ffff:0:7f00:1] [64:ff9b::127.0.0.1]
  [64:ff9b::7f00:1] [64:ff9b:1::7f00:1] [2002:7f00:1::] [2001:0:7f00:1::] [fc00::1] [fd00:ec2::254]
  [FD00::7] [fe80::1] [febf::1] [fec0::1] [ff02::1] [2001:db8::1] [3fff::1] [100::1] [5f00::1]`)

const NAMES: Record<string, string[]> = {
  'loopback.test': ['127.0.0.1'],
  'loopback6.test': ['::1'],
  'any.test': ['0.0.0.0'],
  'any6.test': ['::'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'private.test': ['10.0.0.1'],
  'metadata.test': ['169.254.169.254'],
  'mixed.test': ['93.184.215.14', '127.0.0.1'],
  'mixed6.test': ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', '::1'],
  'both.test': ['93.184.215.14', 'fd00::7'],
  'last.test': [...Array<string>(50).fill('93.184.215.14'), '127.0.0.1'],
  'dot.test.': ['127.0.0.1'],
  'nonsense.test': ['127.1'],
}

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

const addresses = (list: string[] = []) =>
  list.map((address) => ({ address, family: isIP(address) }))

describe('makes no connection to a non-public address', () => {
  test('in any spelling', async () => {
    const canary = await listen(ok())
    const outbound = new Outbound()
    const hosts = [...THIS_MACHINE, ...ELSEWHERE]
    assert.ok(hosts.length > 85)
    for (const url of hosts.flatMap((host) => [`http://${host}`, `https://${host}`])) {
      const { durationMs, ...outcome } = await outbound.post(`${url}:${canary.port}/`, REQUEST)
      assert.deepEqual(outcome, BLOCKED, url)
      assert.ok(durationMs < 1000, url)
    }
    assert.equal(canary.connections, 0)
  })

  test('behind a name, even if only one of its addresses is not public', async () => {
    const canary = await listen(ok())
    const outbound = new Outbound({ lookup: async (name) => addresses(NAMES[name]) })
    for (const name of Object.keys(NAMES)) {
      for (const host of [name, name.toUpperCase()]) {
        const { error } = await outbound.post(`http://${host}:${canary.port}/`, REQUEST)
        assert.equal(error, 'blocked_address', host)
      }
    }
    assert.equal(canary.connections, 0)
  })

  test('because of the guard: without it these addresses are reached', async () => {
    const canary = await listen(ok())
    const unguarded = new Outbound({ permits: () => true })
    for (const host of ['127.0.0.1', '127.1', '2130706433', '017700000001', 'localhost', '①②⑦.1']) {
      const { error } = await unguarded.post(`http://${host}:${canary.port}/`, REQUEST)
      assert.equal(error, null, host)
    }
    assert.equal(canary.connections, 6)
  })
})

test('resolves a name once per request and connects only to that result', async () => {
  const canary = await listen(ok())
  const answers = [['127.0.0.1'], ['127.0.0.1', '::1'], ['::1'], ['127.0.0.1']]
  const asked: string[] = []
  const outbound = new Outbound({
    permits: (address) => address === '127.0.0.1',
    lookup: async (name) => {
      asked.push(name)
      return addresses(answers.shift())
    },
  })
  const errors = []
  for (let i = 0; i < 4; i++) {
    errors.push((await outbound.post(`http://rebind.test:${canary.port}/`, REQUEST)).error)
  }
  assert.deepEqual(errors, [null, 'blocked_address', 'blocked_address', null])
  assert.deepEqual(asked, Array(4).fill('rebind.test'))
  assert.equal(canary.connections, 2)
  assert.ok(canary.received.includes(`\r\nhost: rebind.test:${canary.port}\r\n`))
})

test('checks the address of the connection itself before sending anything', async () => {
  const canary = await listen(ok())
  let checks = 0
  const outbound = new Outbound({ permits: () => (checks += 1) === 1 })
  assert.equal((await outbound.post(canary.url, REQUEST)).error, 'blocked_address')
  while (canary.open > 0) await sleep(5)
  assert.equal(canary.received, '')
})

test('makes no connection when the name resolves after the deadline', async () => {
  const canary = await listen(ok())
  const outbound = new Outbound({
    permits: () => true,
    lookup: async () => sleep(150, addresses(['127.0.0.1'])),
    timeoutMs: 100,
  })
  const outcome = await outbound.post(`http://late.test:${canary.port}/`, REQUEST)
  assert.equal(outcome.error, 'timeout')
  await sleep(150)
  assert.equal(canary.connections, 0)
})

test('follows no redirect', async () => {
  const canary = await listen(ok())
  const outbound = new Outbound({ permits: () => true })
  const places = [canary.url, `http://localhost:${canary.port}/`, 'file:///etc/passwd', '/']
  for (const status of [300, 301, 302, 303, 304, 307, 308]) {
    for (const place of places) {
      const peer = await listen(answering(`HTTP/1.1 ${status} X\r\nlocation: ${place}`))
      const outcome = await outbound.post(peer.url, REQUEST)
      assert.deepEqual([outcome.status, outcome.error], [status, 'redirect'])
      assert.equal(peer.connections, 1)
    }
  }
  assert.equal(canary.connections, 0)
})

test('ignores proxy settings in the environment', async () => {
  const canary = await listen(ok())
  const peer = await listen(ok('straight'))
  const proxy = `http://127.0.0.1:${canary.port}`
  const variables = [
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'ALL_PROXY',
    'http_proxy',
    'https_proxy',
    'all_proxy',
  ]
  const program = `
    import { Outbound } from ${JSON.stringify(import.meta.resolve('./outbound.ts'))}
    const outbound = new Outbound({ permits: () => true })
    const outcome = await outbound.post(${JSON.stringify(peer.url)}, { headers: {}, body: '{}' })
    console.log(outcome.body)`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', program],
    {
      timeout: 5000,
      env: { NODE_USE_ENV_PROXY: '1', ...Object.fromEntries(variables.map((v) => [v, proxy])) },
    },
  )
  assert.equal(stdout.trim(), 'straight')
  assert.equal(canary.connections, 0)
})
