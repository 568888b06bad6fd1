import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { createPlaza, isPlazaError, verifyWebhook, WebhookVerificationError } from '#sdk'
import { withoutChromium } from '../../test/chromium.ts'
import { receive } from '../../test/receiver.ts'
import { assertSound, setStage } from './stage.ts'

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const stage = await setStage({ WEBHOOK_ALLOW_PRIVATE: 'on' })
  const mina = await stage.member('mina', 'Mina')

  test('an app’s key is shown once and works until it is revoked', async () => {
    const page = await stage.visit('/devconsole', mina)
    await page.getByText('Create your first app').waitFor()
    await page.getByRole('button', { name: 'New app' }).click()
    await page.getByRole('button', { name: 'Create app' }).click()
    await page.getByRole('alert').getByText("Can't be blank.").waitFor()
    await page.getByLabel('Name').and(page.locator(':focus')).fill('River')
    await page.getByLabel('Type').selectOption('Server')
    for (const scope of ['contents:write', 'jump:read', 'posts:read']) {
      await page.getByRole('checkbox', { name: scope }).check()
    }
    await assertSound(page)
    await page.getByRole('button', { name: 'Create app' }).click()
    await page.getByRole('heading', { level: 1, name: 'River' }).waitFor()

    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').fill('deploy server')
    await page.getByRole('radio', { name: 'Live' }).check()
    await page.getByRole('button', { name: 'Create key' }).click()
    const once = page.getByRole('dialog', { name: 'Your new key' })
    const raw = await textOf(once.getByLabel('API key · deploy server'))
    await once.getByText(`X-API-Key: ${raw}`).waitFor()
    await assertSound(page)
    await confirmSaved(page, once)
    const row = page.getByRole('row', { name: /^deploy server Active Live/ })
    await row.waitFor()
    assert.ok(
      !(await page.content()).includes(raw),
      'the key should not be in the page after closing the dialog',
    )
    await page.reload()
    await row.getByText('Never').waitFor()
    assert.equal(await row.getByText('posts:read').count(), 0)
    await row.getByRole('button', { name: '+2 scopes' }).click()
    await row.getByText('posts:read').waitFor()
    assert.ok(
      !(await page.content()).includes(raw),
      'the key should not be in the page after a reload',
    )

    const program = createPlaza({ url: stage.app.url, apiKey: raw, language: 'en' })
    const work = {
      category: 'hype',
      type: 'article',
      title: 'By a program',
      body: 'Hello!',
    } as const
    const { content } = await program.contents.create(work)
    assert.deepEqual([content.status, content.creator.handle], ['published', 'mina'])

    await row.getByRole('button', { name: 'Actions for the key deploy server' }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    const ask = page.getByRole('dialog', { name: 'Revoke “deploy server”?' })
    await ask.getByRole('button', { name: 'Cancel' }).click()
    await ask.waitFor({ state: 'detached' })
    await program.contents.create({ ...work, title: 'Still at work' })
    await row.getByRole('button', { name: 'Actions for the key deploy server' }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await ask.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('row', { name: /^deploy server Revoked/ }).waitFor()
    await assertSound(page)
    await assert.rejects(
      program.contents.create({ ...work, title: 'Too late' }),
      (error) => isPlazaError(error) && error.status === 401,
    )
    const { feeds } = await mina.plaza.me.listContents()
    assert.deepEqual(feeds.map(({ title }) => title).sort(), ['By a program', 'Still at work'])
  })

  test('a personal key is shown once and works until it is revoked', async () => {
    const page = await stage.visit('/devconsole', mina)
    await page.getByRole('link', { name: 'Manage personal keys' }).click()
    await page.getByText('No personal keys yet').waitFor()
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').fill('home server')
    await page.getByRole('button', { name: 'Create key' }).click()
    const once = page.getByRole('dialog', { name: 'Your new key' })
    const raw = await textOf(once.getByLabel('API key · home server'))
    await assertSound(page)
    await confirmSaved(page, once)
    await page.reload()
    const row = page.getByRole('row', { name: /^home server plz_user_/ })
    await row.waitFor()
    assert.ok(
      !(await page.content()).includes(raw),
      'the key should not be in the page after a reload',
    )

    const program = createPlaza({ url: stage.app.url, apiKey: raw, language: 'en' })
    const content = { category: 'hype', type: 'article', title: 'From home', body: 'Hi!' } as const
    await program.contents.create({ ...content, publish: false })
    await row.getByRole('button', { name: 'Actions for the key home server' }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    const ask = page.getByRole('dialog', { name: 'Revoke “home server”?' })
    await ask.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('No personal keys yet').waitFor()
    await assert.rejects(
      program.contents.create(content),
      (error) => isPlazaError(error) && error.status === 401,
    )
  })

  test('a webhook’s test event is signed with the shown secrets and redelivered under the same id', async () => {
    const receiver = await receive(() => ({ body: 'thank you' }))
    const { app } = await mina.plaza.apps.create({
      app_name: 'Bell',
      app_type: 'server',
      scopes: ['webhooks:manage'],
    })
    const page = await stage.visit(`/devconsole/apps/${app.id}?part=webhooks`, mina)
    await page.getByRole('button', { name: 'New webhook' }).click()
    await page.getByRole('button', { name: 'Add webhook' }).click()
    await page.getByRole('alert').getByText('Enter an http or https URL').waitFor()
    await page.getByRole('alert').getByText('Choose at least one.').waitFor()
    await page.getByLabel('Endpoint').fill(receiver.url)
    await page.getByRole('checkbox', { name: 'content.published' }).check()
    await assertSound(page)
    await page.getByRole('button', { name: 'Add webhook' }).click()
    const once = page.getByRole('dialog', { name: 'Webhook added' })
    const sharedSecret = await textOf(once.getByLabel('Shared secret'))
    const signingSecret = await textOf(once.getByLabel('Signing secret'))
    await assertSound(page)
    await confirmSaved(page, once)

    await page.getByRole('link', { name: receiver.url }).click()
    await page.getByText('No deliveries yet').waitFor()
    assert.equal(receiver.received.length, 0)
    await page.getByRole('button', { name: 'Send test' }).click()
    const { headers, text } = await receiver.nth(1)
    const event = await verifyWebhook({ headers, body: text, sharedSecret, signingSecret })
    assert.equal(event.type, 'webhook.test')
    await assert.rejects(
      verifyWebhook({ headers, body: `${text} `, sharedSecret, signingSecret }),
      WebhookVerificationError,
    )

    await page.getByText(/^Test delivered in [\d,]+ ms$/).waitFor()
    const log = page.getByRole('table', { name: 'Deliveries' })
    const sent = log.getByRole('row', { name: /^webhook.test Delivered/ })
    assert.equal(await sent.count(), 1)
    await log.getByLabel('Start of the response').getByText('thank you').waitFor()
    await assertSound(page)
    await log.getByRole('button', { name: 'Redeliver' }).click()
    const again = await receiver.nth(2)
    assert.equal(again.headers['webhook-id'], headers['webhook-id'])
    assert.equal(again.text, text)
    await verifyWebhook({ headers: again.headers, body: again.text, sharedSecret, signingSecret })
    await page.getByText('Redelivered').waitFor()
    await sent.nth(1).waitFor()
    assert.equal(await sent.count(), 2)
    assert.equal(receiver.received.length, 2)
  })
})

async function confirmSaved(page: Page, once: Locator): Promise<void> {
  await page.keyboard.press('Escape')
  await once.getByRole('alert').getByText('Copy it first').waitFor()
  await once.getByRole('checkbox', { name: "I've saved it" }).and(page.locator(':focus')).check()
  await once.getByRole('button', { name: 'Done' }).click()
  await once.waitFor({ state: 'detached' })
}

async function textOf(shown: Locator): Promise<string> {
  const text = await shown.innerText()
  assert.match(text, /^\S{20,}$/)
  return text
}
