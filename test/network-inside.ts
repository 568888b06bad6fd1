/**
 * Checks that webhooks reach public addresses only. Runs in a network namespace in which every tested address is local.
 * Canary servers listen on the private addresses. A DNS server changes its responses between queries.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { isIPv6, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { type Loose, startApp } from './app.ts'
import { serveNames } from './dns.ts'
import { dataOf, makeContent, valuesOf } from './make.ts'
import { listen, ok } from './peer.ts'
import { makeWebhook, endedDeliveries } from './receiver.ts'

const PUBLIC = ['93.184.215.14', '2606:4700:4700::1111']
const PRIVATE_4 =
  `10.1.2.3 172.16.0.9 172.31.255.9 192.168.7.7 169.254.169.254 100.64.0.9 198.18.0.5
  192.0.0.8 192.0.2.7 198.51.100.3 203.0.113.8 168.63.129.16 240.0.0.5 0.1.2.3`.split(/\s+/)
const PRIVATE_6 = `fd00::7 fc00::9 fe80::1 fec0::3 2001:db8::5 64:ff9b::7f00:1 64:ff9b::a01:203
  2002:7f00:1::1 ::7f00:9 100::1 3fff::1 2001:2::1`.split(/\s+/)

execFileSync('ip', ['link', 'set', 'lo', 'up'])
for (const address of [...PUBLIC, ...PRIVATE_4, ...PRIVATE_6]) {
  const bits = isIPv6(address) ? 128 : 32
  execFileSync('ip', [
    'addr',
    'add',
    `${address}/${bits}`,
    'dev',
    'lo',
    ...(bits === 128 ? ['nodad'] : []),
  ])
}

const knocked = { public: 0, canaries: [] as string[] }
const answer = (socket: Socket) => {
  const address = (socket.localAddress ?? '').replace(/^::ffff:/, '')
  if (PUBLIC.includes(address)) knocked.public += 1
  else knocked.canaries.push(address)
  ok('inside')(socket)
}
const { port } = await listen(answer)

/** Returns public, private and mixed addresses. In a later query, some names get another address (DNS rebinding). */
const names = await serveNames((name, asked) => {
  const [publicV4 = '', publicV6 = ''] = PUBLIC
  const [first = '', ...rest] = name.split('.')
  if (rest[0] === 'silent') return undefined
  if (first === 'public') return { addresses: PUBLIC }
  if (first === 'rebind') return { addresses: [asked % 2 ? publicV4 : '127.0.0.1'] }
  if (first === 'later') return { addresses: [asked > 1 ? '169.254.169.254' : publicV4] }
  if (first === 'mixed') return { addresses: [publicV4, '10.1.2.3'] }
  if (first === 'mixed6') return { addresses: [publicV4, 'fd00::7'] }
  if (first === 'mapped') return { addresses: [publicV6, '::ffff:127.0.0.1'] }
  if (first === 'alias') return { alias: `to.${rest.join('.')}`, addresses: ['192.168.7.7'] }
  const separator = name.endsWith('.private6.test') ? ':' : '.'
  return { addresses: [first.replaceAll('-', separator)] }
})

after(() => names.close())

function spellingsOf(address: string): string[] {
  const bytes = address.split('.').map(Number) as [number, number, number, number]
  const [a, b, c, d] = bytes
  const number = ((a * 256 + b) * 256 + c) * 256 + d
  const hex = number.toString(16).padStart(8, '0')
  const [high, low] = [hex.slice(0, 4), hex.slice(4)]
  return [
    address,
    `${address}.`,
    String(number),
    `0x${hex}`,
    `0X${hex.toUpperCase()}`,
    `0${number.toString(8)}`,
    bytes.map((byte) => `0${byte.toString(8)}`).join('.'),
    bytes.map((byte) => `0x${byte.toString(16)}`).join('.'),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `0x${a.toString(16)}.${b}.0${(c * 256 + d).toString(8)}`,
    address.replaceAll('.', '。'),
    [...address]
      .map((char) => (char === '.' ? char : String.fromCodePoint(0xff10 + Number(char))))
      .join(''),
    address.replaceAll('1', '%31'),
    `[::ffff:${address}]`,
    `[::FFFF:${high}:${low}]`,
    `[0:0:0:0:0:ffff:${high}:${low}]`,
    `[::ffff:0:${high}:${low}]`,
    `[::${address}]`,
    `[64:ff9b::${high}:${low}]`,
    `[64:ff9b:1::${high}:${low}]`,
    `[2002:${high}:${low}::1]`,
    `[2001:0:${high}:${low}::1]`,
    `${address.replaceAll('.', '-')}.private.test`,
  ]
}

const HOSTS = [
  ...[...PRIVATE_4, '127.0.0.1', '127.9.9.9', '0.0.0.0'].flatMap(spellingsOf),
  ...[...PRIVATE_6, '::1', '::'].flatMap((address) => [
    `[${address}]`,
    `[${address.toUpperCase()}]`,
    `${address.replaceAll(':', '-')}.private6.test`,
  ]),
  ...`localhost LOCALHOST localhost. sub.localhost mixed.names.test mixed6.names.test
    mapped.names.test alias.names.test MIXED.names.test.`.split(/\s+/),
]
const URLS = HOSTS.map((host, i) => `${i % 4 === 3 ? 'https' : 'http'}://${host}:${port}/hook`)
/** Webhooks per user. Each is tested once, so a user stays below the limit of 60 webhook tests a minute. */
const CHUNK = 20

const app = await startApp({ WEBHOOK_ALLOW_PRIVATE: 'off', WEBHOOK_RETRY_SCHEDULE: '0' })
const alice = await app.user()

async function errorsOf(owner: typeof alice, { id }: Loose): Promise<string[]> {
  dataOf(await owner.post(`/devconsole/webhooks/${id}/test`))
  const log = await endedDeliveries(owner, id)
  return log.flatMap(({ attempts }) => valuesOf(attempts, 'error'))
}

test('reaches public addresses by IP address and by name', async () => {
  const before = knocked.public
  for (const host of ['93.184.215.14', '[2606:4700:4700::1111]', 'public.names.test']) {
    const { webhook } = await makeWebhook(alice, `http://${host}:${port}/hook`)
    assert.deepEqual(await errorsOf(alice, webhook), [null], host)
  }
  assert.equal(knocked.public, before + 3)
})

test('reaches no private address, neither for a test nor for an event', async () => {
  const knocks = knocked.public
  const counts = { blocked: 0, unknown: 0 }
  for (let from = 0; from < URLS.length; from += CHUNK) {
    const owner = await app.user()
    const webhooks: Loose[] = []
    for (const url of URLS.slice(from, from + CHUNK)) {
      webhooks.push((await makeWebhook(owner, url)).webhook)
    }
    await makeContent(owner)
    await Promise.all(
      webhooks.map(async (webhook) => {
        const errors = await errorsOf(owner, webhook)
        // Two attempts for the event and one for the test of the webhook.
        assert.equal(errors.length, 3, webhook.endpoint_url)
        const kinds = new Set(errors)
        assert.equal(kinds.size, 1, webhook.endpoint_url)
        if (kinds.has('blocked_address')) counts.blocked += 1
        else if (kinds.has('dns')) counts.unknown += 1
        else assert.fail(`${webhook.endpoint_url}: ${errors.join(', ')}`)
      }),
    )
  }
  assert.deepEqual(knocked.canaries, [])
  assert.equal(knocked.public, knocks)
  assert.ok(counts.blocked >= 400, JSON.stringify(counts))
  assert.ok(counts.unknown <= 5, JSON.stringify(counts))
})

test('connects only to checked addresses when a name resolves differently the second time', async () => {
  for (const name of ['rebind', 'later']) {
    const { webhook } = await makeWebhook(alice, `http://${name}.names.test:${port}/hook`)
    const outcomes: (string | null)[] = []
    for (let i = 0; i < 6; i++) {
      app.clock.advance(60_000)
      outcomes.push(...(await errorsOf(alice, webhook)).slice(0, 1))
    }
    assert.ok(outcomes.includes('blocked_address'), `${name}: ${outcomes.join(', ')}`)
    assert.ok(outcomes.includes(null), `${name}: ${outcomes.join(', ')}`)
  }
  assert.ok(names.questions > 0)
  assert.deepEqual(knocked.canaries, [])
})

test('delivers to other users when DNS queries time out', async () => {
  const mallory = await app.user()
  for (let i = 0; i < CHUNK; i++) await makeWebhook(mallory, `http://n${i}.silent.test:${port}/`)
  const { webhook } = await makeWebhook(alice, `http://public.names.test:${port}/hook`)
  await makeContent(mallory)
  for (let i = 0; i < 3; i++) {
    const { delivery } = dataOf(await alice.post(`/devconsole/webhooks/${webhook.id}/test`))
    const [{ error, duration_ms }] = delivery.attempts
    assert.equal(error, null)
    assert.ok(duration_ms < 1000, `${duration_ms} ms`)
  }
})
