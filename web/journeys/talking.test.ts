import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutChromium } from '../../test/chromium.ts'
import { assertSound, type Member, publishArticle, setStage } from './stage.ts'

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const stage = await setStage()
  const mina = await stage.member('mina', 'Mina')
  const joon = await stage.member('joon', 'Joon')
  const content = await publishArticle(mina)

  const visit = (path: string, member: Member) => stage.visit(path, member, { movesTime: true })

  test('a comment notifies the author and a reply notifies the commenter, with links', async () => {
    const hers = await visit('/community', mina)
    const his = await visit(`/contents/${content.id}`, joon)
    await hers.getByRole('heading', { level: 1, name: 'Community' }).waitFor()
    assert.equal(await hers.getByText('1 unread notification').count(), 0)
    await his.getByRole('textbox', { name: 'Write a comment' }).fill('Where was that?')
    await his.getByRole('button', { name: 'Comment', exact: true }).click()
    await his.getByRole('heading', { name: '1 comment' }).waitFor()

    await openNotification(hers, 'Joon')
    await assertLinked(hers, 'Where was that?')
    await hers.getByRole('button', { name: 'Reply to Joon' }).click()
    await hers.getByRole('textbox', { name: 'Reply to Joon' }).fill('At the @joon bridge.')
    await hers.getByRole('button', { name: 'Reply', exact: true }).click()
    await hers.getByRole('heading', { name: '2 comments' }).waitFor()
    await assertSound(hers)

    await openNotification(his, 'Mina')
    await assertLinked(his, 'At the @joon bridge.')
    await his.getByText('Where was that?').waitFor()
    await assertSound(his)
    for (const { plaza } of [mina, joon]) {
      const { notifications } = await plaza.notifications.list()
      assert.equal(
        notifications.length,
        1,
        'each user should have exactly one notification, about the other user',
      )
    }
  })

  test('all notifications are marked as read when the newest has been withdrawn', async () => {
    const { id } = await publishArticle(mina, 'A bridge')
    await joon.plaza.comments.create(id, { body: 'How wide is it?' })
    await joon.plaza.creators.follow('mina')
    const page = await visit('/notifications', mina)
    const follow = page.getByText('Joon started following you.')
    await follow.waitFor()
    await joon.plaza.creators.unfollow('mina')
    await joon.plaza.comments.create(id, { body: 'And how long?' })
    const refused = page.waitForResponse(/\/read-all$/)
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    assert.equal((await refused).status(), 422)
    await follow.waitFor({ state: 'detached' })
    await page.getByRole('main').getByText('1 unread notification').waitFor()
    const { notifications } = await mina.plaza.notifications.list()
    const read = notifications.map(({ is_read }) => is_read)
    assert.deepEqual(
      read,
      [false, true, true],
      'the notification that arrived later should stay unread',
    )
    assert.equal(
      await page.getByRole('region', { name: 'Notices' }).getByText("didn't work").count(),
      0,
    )
    await mina.plaza.notifications.markAllRead()
  })

  test('unsent comments and replies are restored on Back', async () => {
    const page = await visit(`/contents/${content.id}`, joon)
    const write = page.getByRole('textbox', { name: 'Write a comment' })
    const reply = page.getByRole('textbox', { name: 'Reply to Joon' })
    const openReply = page.getByRole('button', { name: 'Reply to Joon' })
    await write.fill('And was it')
    await openReply.click()
    await reply.fill('I mean')
    await reply.press('Escape')
    await page.getByRole('main').getByRole('link', { name: 'Mina' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Mina' }).waitFor()
    await page.goBack()
    await write.waitFor()
    assert.equal(await write.inputValue(), 'And was it')
    await openReply.click()
    assert.equal(await reply.inputValue(), 'I mean')
    await page.getByRole('button', { name: 'Cancel' }).last().click()
    await openReply.click()
    assert.equal(await reply.inputValue(), '', 'a cancelled reply should not be restored')
    await page.reload()
    await write.waitFor()
    assert.equal(await write.inputValue(), 'And was it')
    await write.press('Control+Enter')
    await page.getByRole('heading', { name: '3 comments' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: '3 comments' }).waitFor()
    assert.equal(await write.inputValue(), '', 'the draft should be deleted after sending')
  })

  test('messages arrive without a reload, and unseen ones are below a line', async () => {
    const hers = await visit('/messages', mina)
    await hers.getByText('No conversations yet').waitFor()
    const his = await visit('/creators/mina', joon)
    await his.getByRole('button', { name: 'Send a message' }).click()
    const write = his.getByRole('textbox', { name: 'Write a message' })
    await write.fill('Good evening')
    await write.press('Shift+Enter')
    await write.pressSequentially('Mina!')
    assert.equal(
      await logOf(his).getByText('Good evening').count(),
      0,
      'a line break should not send',
    )
    await write.press('Enter')
    await write.fill('Shall we go for a walk?')
    await write.press('Enter')
    await logOf(his).getByText('Shall we go for a walk?').waitFor()
    assert.equal(await write.inputValue(), '')
    const id = new URL(his.url()).pathname.split('/').at(-1) ?? ''
    await untilSent(his)
    assert.deepEqual(await bodiesOf(joon, id), ['Good evening\nMina!', 'Shall we go for a walk?'])
    await assertSound(his)

    const asked: string[] = []
    hers.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await hers.clock.fastForward(31_000)
    const places = hers.getByRole('banner')
    await places.getByText('2 unread messages').waitFor()
    const lists = asked.filter((path) => path.endsWith('/dm/conversations'))
    assert.equal(lists.length, 1, 'the list and the badge should share one request')
    await hers.getByRole('link', { name: /Joon.*2 unread messages/ }).click()
    await logOf(hers).getByText('New messages').waitFor()
    await places.getByText('2 unread messages').waitFor({ state: 'detached' })
    const told = await logOf(hers).innerText()
    assert.match(told, /New messages[^]*Good evening\n+Mina![^]*Shall we/)
    await assertSound(hers)
    await his.clock.fastForward(6_000)
    await logOf(his).getByText('Read', { exact: true }).waitFor()

    await hers.getByRole('textbox', { name: 'Write a message' }).fill('Gladly, at four.')
    await hers.keyboard.press('Enter')
    await logOf(hers).getByText('New messages').waitFor({ state: 'detached' })
    await untilSent(hers)
    await his.clock.fastForward(6_000)
    await logOf(his).getByText('Gladly, at four.').waitFor()
    assert.equal(await logOf(his).getByText('Gladly, at four.').count(), 1)
  })

  test('a message draft survives a reload, and a failed message is stored once on retry', async () => {
    const { conversation } = await joon.plaza.conversations.create({ handle: 'mina' })
    const before = await bodiesOf(mina, conversation.id)
    const page = await visit(`/messages/${conversation.id}`, joon)
    const write = page.getByRole('textbox', { name: 'Write a message' })
    const failed = logOf(page).getByRole('alert').getByText("Couldn't send.")
    await write.fill('I come')
    await page.reload()
    await page.getByRole('heading', { level: 2, name: 'Mina' }).waitFor()
    assert.equal(await write.inputValue(), 'I come')

    await write.fill('I come by bicycle.')
    await page.context().setOffline(true)
    await page.getByRole('status').getByText("You're offline.").waitFor()
    await write.press('Enter')
    await failed.waitFor()
    await assertSound(page)
    assert.deepEqual(await bodiesOf(mina, conversation.id), before)
    await page.context().setOffline(false)
    await page.getByText("You're offline.").first().waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Send again' }).click()
    await failed.waitFor({ state: 'detached' })
    await untilSent(page)
    assert.deepEqual(await bodiesOf(mina, conversation.id), [...before, 'I come by bicycle.'])

    // The server accepts each message, but the browser never receives its response.
    await page.route('**/dm/conversations/*/messages', async (route) => {
      if (route.request().method() === 'POST') await route.fetch()
      await route.abort()
    })
    await write.fill('And I bring a kite.')
    await write.press('Enter')
    await failed.waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await page.clock.fastForward(6_000)
    await failed.waitFor({ state: 'detached' })
    assert.equal(await logOf(page).getByText('And I bring a kite.').count(), 1)
    assert.deepEqual(await bodiesOf(mina, conversation.id), [
      ...before,
      'I come by bicycle.',
      'And I bring a kite.',
    ])
  })

  test('a new post is announced, liked and replied to, and keeps a placeholder when deleted', async () => {
    const hers = await visit('/community', mina)
    await hers.getByText('No posts yet').waitFor()
    const his = await visit('/community', joon)
    await his.getByRole('textbox', { name: 'Write a post' }).fill('Good morning, everybody.')
    await his.getByRole('button', { name: 'Post', exact: true }).click()
    const posted = his.getByRole('article', { name: 'Post by Joon' })
    await posted.getByRole('button', { name: 'Like' }).waitFor()
    await hers.clock.fastForward(21_000)
    const post = hers.getByRole('article', { name: 'Post by Joon' })
    const announced = hers.getByRole('button', { name: 'Show 1 new post' })
    await announced.waitFor()
    assert.equal(await post.count(), 0, 'new posts should not be inserted without a click')
    await announced.click()
    await post.getByRole('button', { name: 'Like', pressed: false }).click()
    await post.getByRole('button', { name: 'Like, 1', pressed: true }).waitFor()
    await assertSound(hers)
    await post.getByRole('link', { name: 'Reply' }).click()
    await hers.getByRole('textbox', { name: 'Reply to @joon' }).fill('Good morning, Joon!')
    await hers.keyboard.press('Control+Enter')
    const reply = hers.getByRole('article', { name: 'Post by Mina' })
    await reply.getByRole('button', { name: 'Like' }).waitFor()
    await assertSound(hers)
    const { posts } = await joon.plaza.posts.list()
    const [known] = posts
    assert.deepEqual([posts.length, known?.like_count, known?.reply_count], [1, 1, 1])

    await posted.getByRole('link', { name: 'Reply' }).click()
    await his.getByText('Good morning, Joon!').waitFor()
    await posted.getByRole('button', { name: 'More' }).click()
    await his.getByRole('menuitem', { name: 'Delete' }).click()
    const ask = his.getByRole('dialog', { name: 'Delete this post?' })
    await assertSound(his)
    await ask.getByRole('button', { name: 'Delete' }).click()
    const gone = his.getByRole('article', { name: 'Deleted post' })
    await gone.getByText('This post was deleted').waitFor()
    await ask.waitFor({ state: 'detached' })
    assert.equal(await his.getByText('Good morning, everybody.').count(), 0)
    await his.reload()
    await gone.waitFor()
    await his
      .getByRole('article', { name: 'Post by Mina' })
      .getByText('Good morning, Joon!')
      .waitFor()
    await assertSound(his)
  })

  test('a rejected like is reverted with a notice, and the next one succeeds', async () => {
    const page = await stage.visit(`/contents/${content.id}`, joon)
    let answer = () => {}
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/like', async (route) => {
      await answered
      await route.fulfill({ status: 500, body: 'out of order' })
    })
    await page.getByRole('button', { name: 'Like, 0', pressed: false }).click()
    await page.getByRole('button', { name: 'Like, 1', pressed: true }).waitFor()
    answer()
    await page.getByRole('button', { name: 'Like, 0', pressed: false }).waitFor()
    await page.getByRole('region', { name: 'Notices' }).getByText("That didn't work.").waitFor()
    assert.equal((await joon.plaza.contents.get(content.id)).content.is_liked, false)
    await assertSound(page)
    await page.unrouteAll({ behavior: 'wait' })
    const why = 'Too many requests. Try again in 42 seconds.'
    await page.route('**/like', (route) => {
      const error = { code: 'RATE_LIMITED', message: why }
      return route.fulfill({
        status: 429,
        headers: { 'retry-after': '42' },
        json: { success: false, error, request_id: 'req_1' },
      })
    })
    await page.getByRole('button', { name: 'Like, 0', pressed: false }).click()
    await page
      .getByRole('region', { name: 'Notices' })
      .getByText(`That didn't work. ${why}`)
      .waitFor()
    await page.getByRole('button', { name: 'Like, 0', pressed: false }).waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    const taken = page.waitForResponse(/\/like$/)
    await page.getByRole('button', { name: 'Like, 0', pressed: false }).click()
    assert.equal((await taken).status(), 200)
    await page.getByRole('button', { name: 'Like, 1', pressed: true }).waitFor()
    assert.equal((await mina.plaza.contents.get(content.id)).content.like_count, 1)
  })
})

async function openNotification(page: Page, from: string): Promise<void> {
  await page.clock.fastForward(31_000)
  const badge = page.getByRole('banner').getByText('1 unread notification')
  await badge.waitFor()
  await page.getByRole('link', { name: /^Notifications/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor()
  const entry = page.getByRole('main').getByRole('link', { name: new RegExp(from) })
  await entry.waitFor()
  await assertSound(page)
  const read = page.waitForResponse(/\/notifications\/ntf_[^/]+\/read$/)
  await entry.click()
  assert.equal((await read).status(), 200)
  await badge.waitFor({ state: 'detached' })
}

async function assertLinked(page: Page, text: string): Promise<void> {
  await page.getByText('Linked comment', { exact: true }).waitFor()
  const comment = page.getByRole('article').filter({ hasText: text }).last()
  await comment.waitFor()
  const id = await comment.getAttribute('id')
  assert.equal(new URL(page.url()).hash, `#${id}`)
  await page.waitForFunction((wanted) => document.activeElement?.id === wanted, id)
  assert.ok(
    await comment.evaluate((shown) => {
      const { top, bottom } = shown.getBoundingClientRect()
      return top >= 0 && bottom <= innerHeight
    }),
  )
}

function logOf(page: Page) {
  return page.getByRole('region', { name: 'Messages' })
}

async function untilSent(page: Page): Promise<void> {
  await logOf(page).getByText('Sending', { exact: true }).first().waitFor({ state: 'detached' })
}

async function bodiesOf({ plaza }: Member, id: string): Promise<string[]> {
  const { messages } = await plaza.conversations.listMessages(id)
  return messages.map(({ body }) => body)
}
