import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { makeContent } from '../../test/make.ts'
import { makeWebhook, type Received, receive } from '../../test/receiver.ts'
import { type WebhookHeaders, verifyWebhook, WebhookVerificationError } from '../src/index.ts'
import { clientOf } from './clients.ts'

const app = await startApp()

describe('verifyWebhook', () => {
  let received: Received
  let webhookId: string
  let sharedSecret: string
  let signingSecret: string
  let contentId: string
  const alice = app.user()

  before(async () => {
    const receiver = await receive()
    const { webhook, secret, signing_secret } = await makeWebhook(await alice, receiver.url)
    webhookId = webhook.id
    sharedSecret = secret
    signingSecret = signing_secret
    contentId = (await makeContent(await alice)).id
    received = await receiver.nth(1)
  })

  const request = () => ({ headers: received.headers as WebhookHeaders, body: received.text })
  const refused = async (over: object, reason: string) => {
    const call = verifyWebhook({ ...request(), sharedSecret, signingSecret, ...over })
    await assert.rejects(call, (error) => {
      assert.ok(error instanceof WebhookVerificationError)
      assert.equal(error.reason, reason)
      return true
    })
  }
  const without = (name: string) => ({ ...received.headers, [name]: undefined })
  const withHeader = (name: string, value: string) => ({ ...received.headers, [name]: value })

  test('accepts either secret or both, and returns the event', async () => {
    for (const secrets of [
      { sharedSecret },
      { signingSecret },
      { sharedSecret, signingSecret },
      { signingSecret: [`whsec_${btoa('another')}`, signingSecret] },
    ]) {
      const event = await verifyWebhook({ ...request(), ...secrets })
      assert.ok(event.type === 'content.published')
      assert.equal(event.data.content.id, contentId)
    }
  })

  test('accepts a body of bytes, and headers of every supported form', async () => {
    const body = new TextEncoder().encode(received.text)
    const pairs = Object.entries(received.headers) as [string, string][]
    const upper = Object.fromEntries(pairs.map(([name, value]) => [name.toUpperCase(), value]))
    for (const headers of [new Headers(pairs), upper]) {
      await verifyWebhook({ headers, body, sharedSecret, signingSecret })
    }
  })

  test('rejects a request when any part of it has changed', async () => {
    await refused({ body: `${received.text} ` }, 'wrong_signature')
    await refused({ body: received.text.replace('published', 'archived') }, 'wrong_signature')
    await refused({ headers: withHeader('webhook-id', 'evt_other') }, 'wrong_signature')
    const later = String(Number(received.headers['webhook-timestamp']) + 1)
    await refused({ headers: withHeader('webhook-timestamp', later) }, 'wrong_signature')
    await refused({ headers: withHeader('webhook-timestamp', 'now') }, 'wrong_timestamp')
    await refused({ headers: withHeader('webhook-signature', 'v1,????') }, 'wrong_signature')
    const asV2 = String(received.headers['webhook-signature']).replace('v1,', 'v2,')
    await refused({ headers: withHeader('webhook-signature', asV2) }, 'wrong_signature')
    await refused({ headers: withHeader('x-service-secret', 'svs_x') }, 'wrong_secret')
    await refused({ headers: withHeader('x-service-secret', `${sharedSecret}x`) }, 'wrong_secret')
  })

  test('rejects a wrong secret, also next to a right one, and missing headers', async () => {
    await refused({ sharedSecret: 'svs_x' }, 'wrong_secret')
    await refused({ signingSecret: `whsec_${btoa('another')}` }, 'wrong_signature')
    for (const name of [
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
      'x-service-secret',
    ]) {
      await refused({ headers: without(name) }, 'missing_header')
    }
  })

  test('rejects a request that is much too old or too new', async () => {
    const sentAt = Number(received.headers['webhook-timestamp']) * 1000
    await verifyWebhook({ ...request(), signingSecret, now: sentAt + 300_000 })
    await refused({ now: sentAt + 301_000 }, 'too_old')
    await refused({ now: sentAt - 301_000 }, 'too_new')
    await refused({ now: sentAt + 11_000, toleranceSeconds: 10 }, 'too_old')
    await refused({ now: sentAt + 301_000, toleranceSeconds: Number.NaN }, 'too_old')
    await refused({ now: Number.NaN }, 'too_old')
  })

  test('computes one HMAC when a request has many signatures', async (t) => {
    const { subtle } = globalThis.crypto
    const counted = (['sign', 'verify'] as const).map((name) => t.mock.method(subtle, name))
    const right = String(received.headers['webhook-signature'])
    const many = `${'v1,AAAA '.repeat(1000)}v1, v2,AAAA ${right}`
    await verifyWebhook({
      ...request(),
      headers: withHeader('webhook-signature', many),
      signingSecret,
    })
    assert.equal(counted.flatMap(({ mock }) => mock.calls).length, 1)
  })

  test('throws a TypeError when no valid secret is given', async () => {
    await assert.rejects(verifyWebhook(request()), TypeError)
    for (const secrets of [
      { sharedSecret: '' },
      { signingSecret: '' },
      { signingSecret: [] },
      { signingSecret: 'whsec_???' },
      { sharedSecret, signingSecret: [] },
    ]) {
      await assert.rejects(verifyWebhook({ ...request(), ...secrets }), TypeError)
    }
    // A missing secret must not be compared as the text `null` or `undefined`, which a sender could guess.
    for (const none of [null, undefined, 0]) {
      const asText = withHeader('x-service-secret', String(none))
      const secrets = { sharedSecret: none as unknown as string, signingSecret }
      if (none === undefined) secrets.signingSecret = [none] as unknown as string
      await assert.rejects(
        verifyWebhook({ ...request(), headers: asText, ...secrets }),
        TypeError,
        String(none),
      )
    }
    const headers = withHeader('x-service-secret', '')
    await assert.rejects(verifyWebhook({ ...request(), headers, sharedSecret: '' }), TypeError)
  })

  test('accepts the old and the new secret during a rotation', async () => {
    const receiver = await receive()
    const { plaza } = clientOf(app.url, await alice)
    await plaza.webhooks.update(webhookId, { endpoint_url: receiver.url })
    const { signing_secret } = await plaza.webhooks.rotateSecrets(webhookId)
    await plaza.webhooks.test(webhookId)
    const { headers, text: body } = await receiver.nth(1)
    assert.notEqual(signing_secret, signingSecret)
    for (const secret of [signingSecret, signing_secret as string]) {
      const event = await verifyWebhook({ headers, body, signingSecret: secret })
      assert.equal(event.type, 'webhook.test')
    }
  })
})

test('rejects a valid signature when the body is not an event', async () => {
  for (const body of ['', 'no', '[]', 'null', new Uint8Array([0xff])]) {
    const call = verifyWebhook({ headers: { 'X-Service-Secret': 'x' }, body, sharedSecret: 'x' })
    await assert.rejects(call, { reason: 'wrong_body' })
  }
})
