import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withoutChromium } from '../../test/chromium.ts'
import { assertSound, publishArticle, setStage } from './stage.ts'

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const stage = await setStage()
  const mina = await stage.member('mina', 'Mina')
  const joon = await stage.member('joon', 'Joon')
  const content = await publishArticle(mina)

  test('a muted user is collapsed, shown on request, and unmuted in the account', async () => {
    await joon.plaza.comments.create(content.id, { body: 'Where was that?' })
    await joon.plaza.posts.create({ body: 'Good morning.' })
    const page = await stage.visit(`/contents/${content.id}`, mina)
    const comment = page.getByRole('article').filter({ hasText: 'Where was that?' })
    const mute = async () => {
      await comment.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Mute @joon' }).click()
      await page.getByText('You muted Joon').waitFor()
    }
    await mute()
    await page.getByRole('button', { name: 'Undo' }).click()
    await comment.waitFor()
    assert.equal((await mina.plaza.creators.get('joon')).creator.is_muted, false)
    await mute()
    const collapsed = page.getByText('A comment by someone you blocked or muted.')
    await collapsed.waitFor()
    assert.equal(await page.getByText('Where was that?').count(), 0)
    await assertSound(page)
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await comment.waitFor()
    await comment.getByText('Joon').first().waitFor()

    await page.goto(`${stage.app.url}/community`)
    await page.getByText('A post by someone you blocked or muted.').last().waitFor()
    assert.equal(await page.getByText('Good morning.').count(), 0)
    await assertSound(page)
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByText('Good morning.').waitFor()

    await page.goto(`${stage.app.url}/account?part=people`)
    const muted = page.getByRole('list', { name: 'Muted people' })
    await muted.getByRole('link', { name: 'Joon' }).waitFor()
    await assertSound(page)
    await muted.getByRole('button', { name: 'Unmute @joon' }).click()
    await page.getByText("You haven't muted anyone.").waitFor()
    assert.equal((await mina.plaza.creators.get('joon')).creator.is_muted, false)
  })

  test('a block from the profile ends the follow, and ends there too', async () => {
    await mina.plaza.creators.follow('joon')
    const page = await stage.visit('/creators/joon', mina)
    await page.getByRole('button', { name: 'Following @joon' }).waitFor()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Block @joon' }).click()
    const ask = page.getByRole('dialog', { name: 'Block Joon?' })
    await assertSound(page)
    await ask.getByRole('button', { name: 'Block', exact: true }).click()
    const unblock = page.getByRole('main').getByRole('button', { name: 'Unblock', exact: true })
    await unblock.waitFor()
    await ask.waitFor({ state: 'detached' })
    const { creator } = await mina.plaza.creators.get('joon')
    assert.deepEqual([creator.is_blocked, creator.is_following], [true, false])
    await assertSound(page)
    await unblock.click()
    await page.getByRole('button', { name: 'Follow @joon' }).waitFor()
  })

  test('a message request is accepted, a message deleted and the conversation left', async () => {
    const page = await stage.visit('/account?part=people', mina)
    await page.getByRole('radio', { name: /arrive as requests/ }).check()
    await page.getByText('Saved').waitFor()
    const { conversation } = await joon.plaza.conversations.create({ handle: 'mina' })
    await joon.plaza.conversations.sendMessage(conversation.id, { body: 'May I ask something?' })
    await page.goto(`${stage.app.url}/messages`)
    await page.getByText('No conversations yet').waitFor()
    await page.getByRole('link', { name: /^Requests/ }).click()
    await page.getByRole('link', { name: /Joon.*May I ask/ }).click()
    await assertSound(page)
    await page.getByRole('button', { name: 'Accept', exact: true }).click()
    await page.getByText('Request accepted').waitFor()
    const log = page.getByRole('region', { name: 'Messages', exact: true })
    await page.getByRole('textbox', { name: 'Write a message' }).fill('Of course.')
    await page.keyboard.press('Enter')
    await log.getByRole('button', { name: 'Delete message' }).click()
    await page
      .getByRole('dialog', { name: 'Delete this message?' })
      .getByRole('button', { name: 'Remove' })
      .click()
    await log.getByText('Deleted message').waitFor()
    assert.equal(await page.getByText('Of course.').count(), 0)

    await page
      .getByRole('region', { name: 'Conversation', exact: true })
      .getByRole('button', { name: 'More', exact: true })
      .click()
    await page.getByRole('menuitem', { name: 'Leave conversation' }).click()
    await page
      .getByRole('dialog', { name: 'Leave this conversation?' })
      .getByRole('button', { name: 'Leave conversation' })
      .click()
    await page.getByText('You left the conversation').waitFor()
    assert.deepEqual((await mina.plaza.conversations.list()).conversations, [])
    const { messages } = await joon.plaza.conversations.listMessages(conversation.id)
    assert.deepEqual(
      messages.map(({ body }) => body),
      ['May I ask something?', ''],
    )
  })
})
