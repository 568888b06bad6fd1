import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { test } from 'node:test'
import { type Loose, startApp } from '../../test/app.ts'
import { dataOf, makeContent } from '../../test/make.ts'
import { listen, ok } from '../../test/peer.ts'
import { makeWebhook, endedDeliveries } from '../../test/receiver.ts'

// WEBHOOK_ALLOW_PRIVATE has its production default here; other tests allow private addresses.
const app = await startApp({ WEBHOOK_ALLOW_PRIVATE: '', WEBHOOK_RETRY_SCHEDULE: '0' })
// A proxy would bypass the address check, so the server must ignore the environment variables for proxies.
const canary = await listen(ok('secret of the inside'))
for (const name of ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']) {
  process.env[name] = `http://127.0.0.1:${canary.port}`
}

const own = Object.values(networkInterfaces())
  .flatMap((list) => list ?? [])
  .filter(({ address }) => !address.startsWith('fe80'))
  .map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address))

const HOSTS = [
  ...`127.0.0.1 127.0.0.1. 127.1 127.0.1 2130706433 0x7f000001 0x7f.1 0x7f.0.0.1 017700000001
  0177.0.0.1 0177.0.0.01 127.0.0.0x1 0X7F.1 127.255.255.254 0 0.0.0.0 0x0 00 ①②⑦.⓪.⓪.① 127。0。0。1
  １２７.0.0.1 [::1] [::] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::FFFF:7F00:1] [::ffff:0:127.0.0.1]
  [::127.0.0.1] [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::7f00:1] [2002:7f00:1::]
  [2001:0:7f00:1::] [fe80::1] [fc00::1] [fd00:ec2::254] [ff02::1] [fec0::1] [100::1] [2001:db8::1]
  localhost LOCALHOST localhost. LocalHost.
  10.0.0.1 10.255.255.255 0xa.1 012.1 167772161 172.16.0.1 172.31.255.254 192.168.0.1 192.168.1
  0xc0a80001 3232235521 100.64.0.1 169.254.169.254 0xa9fea9fe 2852039166 169.254.43518
  0251.0376.0251.0376 [::ffff:169.254.169.254] [64:ff9b::a9fe:a9fe] 168.63.129.16 192.0.0.1
  192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1
  255.255.255.255`.split(/\s+/),
  ...own,
]

const LINK_LOCAL = `169.254.169.254 0xa9fea9fe 169.254.43518 169.254.0.1 [fe80::1] [febf::1]
  [fd00:ec2::254] [fd20:ce::254] [::ffff:169.254.169.254] [::ffff:a9fe:1] [64:ff9b::a9fe:a9fe]
  [64:ff9b:1::a9fe:a9fe] [2002:a9fe:a9fe::] [::169.254.169.254] 168.63.129.16 100.100.100.200
  192.0.0.192`.split(/\s+/)

test('blocks every spelling of a non-public address in tests, events and redeliveries', async () => {
  for (let from = 0; from < HOSTS.length; from += 20) {
    const alice = await app.user()
    const webhooks: Loose[] = []
    for (const [i, host] of HOSTS.slice(from, from + 20).entries()) {
      const scheme = i % 3 === 2 ? 'https' : 'http'
      const url = `${scheme}://${host}:${canary.port}/hook`
      webhooks.push((await makeWebhook(alice, url)).webhook)
    }
    await makeContent(alice)
    await Promise.all(
      webhooks.map(async ({ id, endpoint_url }) => {
        const path = `/devconsole/webhooks/${id}`
        const { delivery } = dataOf(await alice.post(`${path}/test`))
        dataOf(await alice.post(`${path}/deliveries/${delivery.id}/redeliver`))
        const log = await endedDeliveries(alice, id)
        assert.equal(log.length, 3)
        for (const { status, attempts } of log) {
          assert.equal(status, 'failed')
          for (const attempt of attempts) {
            // Some systems cannot resolve `localhost.`.
            const isUnknown = /localhost\./i.test(endpoint_url) && attempt.error === 'dns'
            assert.ok(isUnknown || attempt.error === 'blocked_address', endpoint_url)
            assert.deepEqual([attempt.response_status, attempt.response_body], [null, null])
          }
        }
      }),
    )
  }
  assert.equal(canary.connections, 0)
  assert.ok(HOSTS.length > 70)
})

test('reaches loopback but no link-local or metadata address when WEBHOOK_ALLOW_PRIVATE=on', async () => {
  const open = await startApp()
  const alice = await open.user()
  const { webhook } = await makeWebhook(alice, `http://127.1:${canary.port}/hook`)
  const { delivery } = dataOf(await alice.post(`/devconsole/webhooks/${webhook.id}/test`))
  assert.equal(delivery.status, 'delivered')
  assert.equal(canary.connections, 1)
  for (const host of LINK_LOCAL) {
    const refused = await makeWebhook(alice, `http://${host}:${canary.port}/hook`)
    const tested = dataOf(await alice.post(`/devconsole/webhooks/${refused.webhook.id}/test`))
    assert.equal(tested.delivery.attempts[0].error, 'blocked_address', host)
    assert.equal(tested.delivery.attempts[0].response_status, null)
    await alice.delete(`/devconsole/webhooks/${refused.webhook.id}`)
  }
  assert.equal(canary.connections, 1)
})
