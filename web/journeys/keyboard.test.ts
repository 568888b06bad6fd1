/** Every Tab stop must show a focus indicator, and every action must preserve the focus. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { withoutChromium } from '../../test/chromium.ts'
import { until } from '../../test/receiver.ts'
import { assertSound, type Member, publishArticle, setStage } from './stage.ts'

/** Maximum number of Tab presses. Every tested page has fewer Tab stops. */
const STOPS = 120

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const stage = await setStage()
  const mina = await stage.member('mina', 'Mina')
  const joon = await stage.member('joon', 'Joon')
  const content = await publishArticle(mina)

  test('the first Tab stop skips to the content, and a visitor can sign in by keyboard', async () => {
    const page = await stage.visit('/')
    await page.getByRole('link', { name: 'A walk along the river' }).waitFor()
    await page.keyboard.press('Tab')
    await assertFocus(page, page.getByRole('link', { name: 'Skip to content' }))
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await assertFocus(page, page.getByRole('main').getByRole('link', { name: 'Discover' }))
    await go(page, page.getByRole('link', { name: 'Sign in' }), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    await signIn(page, mina)
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    await go(page, page.getByRole('button', { name: 'Your menu, Mina' }), 'Shift+Tab')
    // Delays the menu's entries. The button keeps the focus until the entries load.
    const entries = '**/assets/OwnItems-*'
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route(entries, (route) => held.then(() => route.continue()))
    const asked = page.waitForRequest(entries)
    await page.keyboard.press('Enter')
    await asked
    await assertFocus(page, page.getByRole('button', { name: 'Your menu, Mina' }))
    release()
    await page.getByRole('menu').waitFor()
    await go(page, page.getByRole('menuitem', { name: 'Use the dark theme' }), 'ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark')
    await assertFocus(page, page.getByRole('button', { name: 'Your menu, Mina' }))
    await assertSound(page)
  })

  test('content is opened, liked and commented on by keyboard', async () => {
    const page = await stage.visit('/', joon)
    await go(page, page.getByRole('main').getByRole('link', { name: 'A walk along the river' }))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'A walk along the river' }).waitFor()
    await go(page, page.getByRole('button', { name: 'Like, 0' }))
    await page.keyboard.press('Space')
    const liked = page.getByRole('button', { name: 'Like, 1', pressed: true })
    await liked.waitFor()
    await assertFocus(page, liked)

    const write = page.getByRole('textbox', { name: 'Write a comment' })
    await go(page, write)
    await page.keyboard.type('I was there, too.')
    await go(page, page.getByRole('button', { name: 'Comment', exact: true }))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: '1 comment' }).waitFor()
    await assertFocus(page, write)
    const reply = page.getByRole('button', { name: 'Reply to Joon' }).first()
    await go(page, reply)
    await page.keyboard.press('Enter')
    await assertFocus(page, page.getByRole('textbox', { name: 'Reply to Joon' }))
    await page.keyboard.press('Escape')
    await assertFocus(page, reply)
    await page.keyboard.press('Enter')
    await page.keyboard.type('On the other side.')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('heading', { name: '2 comments' }).waitFor()
    await assertFocus(page, reply)
    await assertSound(page)

    await go(page, page.getByRole('button', { name: 'Delete' }).first())
    await page.keyboard.press('Enter')
    const ask = page.getByRole('dialog', { name: 'Delete this comment?' })
    await go(page, ask.getByRole('button', { name: 'Delete' }))
    await page.keyboard.press('Enter')
    await ask.waitFor({ state: 'detached' })
    await page.getByText('This comment was deleted.').waitFor()
    await assertKept(page)
    const { content: seen } = await mina.plaza.contents.get(content.id)
    assert.deepEqual([seen.like_count, seen.comment_count], [1, 1])
  })

  test('an article is written and published by keyboard', async () => {
    const page = await stage.visit('/', joon)
    await go(page, page.getByRole('link', { name: 'Publish', exact: true }))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Publish a work' }).waitFor()
    await go(page, page.getByRole('button', { name: 'Write an article' }))
    await page.keyboard.press('Enter')
    await page.getByLabel('Title').waitFor()
    await assertKept(page)
    await go(page, page.getByLabel('Title'))
    await page.keyboard.type('By the sea')
    await go(page, page.getByLabel('Text', { exact: true }))
    await page.keyboard.type('Salt.')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Wind.')
    await go(page, page.getByLabel('Tags (optional)'))
    await page.keyboard.type('sea,')
    await page.getByRole('button', { name: 'Remove tag sea' }).waitFor()
    await go(page, page.getByRole('button', { name: 'Publish', exact: true }))
    await page.keyboard.press('Enter')
    await page.getByText('Published!').waitFor()
    await assertKept(page)
    await assertSound(page)
    const { feeds } = await mina.plaza.feeds.list({ tag: 'sea' })
    assert.deepEqual(
      feeds.map(({ title }) => title),
      ['By the sea'],
    )
  })

  test('a message and a post are sent by keyboard', async () => {
    const page = await stage.visit('/creators/mina', joon)
    await go(page, page.getByRole('button', { name: 'Send a message' }))
    await page.keyboard.press('Enter')
    const write = page.getByRole('textbox', { name: 'Write a message' })
    await write.waitFor()
    await go(page, write)
    await page.keyboard.type('Hello, Mina!')
    await go(page, page.getByRole('button', { name: 'Send', exact: true }))
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Messages' }).getByText('Hello, Mina!').waitFor()
    await assertFocus(page, write)

    await go(page, page.getByRole('link', { name: 'Community' }), 'Shift+Tab')
    await page.keyboard.press('Enter')
    const post = page.getByRole('textbox', { name: 'Write a post' })
    await go(page, post)
    await page.keyboard.type('Good morning.')
    await go(page, page.getByRole('button', { name: 'Post', exact: true }))
    await page.keyboard.press('Enter')
    const mine = page.getByRole('article', { name: 'Post by Joon' })
    await mine.getByRole('button', { name: 'Like' }).waitFor()
    await assertFocus(page, post)
    await go(page, mine.getByRole('button', { name: 'More' }))
    await page.keyboard.press('Enter')
    await go(page, page.getByRole('menuitem', { name: 'Delete' }), 'ArrowDown')
    await page.keyboard.press('Enter')
    const ask = page.getByRole('dialog', { name: 'Delete this post?' })
    await go(page, ask.getByRole('button', { name: 'Delete' }))
    await page.keyboard.press('Enter')
    await mine.waitFor({ state: 'detached' })
    await ask.waitFor({ state: 'detached' })
    await assertKept(page)
    const { conversations } = await mina.plaza.conversations.list()
    assert.equal(conversations[0]?.last_message?.body, 'Hello, Mina!')
    assert.deepEqual((await mina.plaza.posts.list()).posts, [])
  })

  test('marking notifications as read keeps the focus, and opening a context menu marks none', async () => {
    await joon.plaza.creators.follow('mina')
    const { unread_count } = await mina.plaza.notifications.countUnread()
    assert.ok(unread_count >= 2, `${unread_count} unread notifications`)
    const page = await stage.visit('/notifications', mina)
    const followed = page.getByRole('main').getByRole('listitem').first()
    const mark = followed.getByRole('button', { name: 'Mark as read' })
    await mark.waitFor()
    await followed.getByRole('link').click({ button: 'right' })
    await page.keyboard.press('Escape')
    assert.equal(await mark.count(), 1, 'the context menu should not mark the notification')
    await go(page, mark)
    await page.keyboard.press('Enter')
    await mark.waitFor({ state: 'detached' })
    await assertFocus(page, followed.getByRole('link'))
    const markAll = page.getByRole('button', { name: 'Mark all as read' })
    await go(page, markAll, 'Shift+Tab')
    await page.keyboard.press('Enter')
    await page.getByText('All read').waitFor()
    await assertFocus(page, markAll)
    await assertSound(page)
    await until(
      async () => (await mina.plaza.notifications.countUnread()).unread_count === 0,
      'all notifications to be read',
    )
  })

  test('a comma that ends a composition adds the tag', async () => {
    const page = await stage.visit('/publish', joon)
    await page.getByRole('button', { name: 'Write an article' }).click()
    await page.getByLabel('Tags (optional)').focus()
    const keys = await page.context().newCDPSession(page)
    await keys.send('Input.imeSetComposition', { text: '바다', selectionStart: 2, selectionEnd: 2 })
    await keys.send('Input.insertText', { text: '바다' })
    await keys.send('Input.insertText', { text: ',' })
    await page.getByRole('button', { name: 'Remove tag 바다' }).waitFor()
    assert.equal(await page.getByLabel('Tags (optional)').inputValue(), '')
  })
})

async function signIn(page: Page, { handle, password }: Member): Promise<void> {
  await go(page, page.getByLabel('Handle or email'))
  await page.keyboard.type(handle)
  await go(page, page.getByLabel('Password', { exact: true }))
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
}

async function go(page: Page, to: Locator, key = 'Tab'): Promise<void> {
  await to.waitFor()
  for (let stops = 0; stops < STOPS; stops += 1) {
    if (await to.evaluate((wanted) => wanted === document.activeElement)) return
    await page.keyboard.press(key)
    await assertSeen(page)
  }
  assert.fail(`${to.toString()} was not reached within ${STOPS} stops on ${page.url()}`)
}

async function assertFocus(page: Page, on: Locator): Promise<void> {
  const wanted = await on.elementHandle()
  await page
    .waitForFunction((element) => element === document.activeElement, wanted)
    .catch(async (error: Error) => {
      error.message += ` The focus is not on ${on.toString()} but on ${await nameFocus(page)}.`
      throw error
    })
  await assertSeen(page)
}

async function assertKept(page: Page): Promise<void> {
  await page.waitForFunction(() => document.activeElement !== document.body)
}

async function nameFocus(page: Page): Promise<string> {
  return page.evaluate(() => (document.activeElement?.outerHTML ?? '').slice(0, 200))
}

async function assertSeen(page: Page): Promise<void> {
  const why = await page.evaluate(() => {
    const focused = document.activeElement
    if (!focused || focused === document.body) return 'the focus is lost'
    const isFramed = (element: Element, pseudo?: string) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element, pseudo)
      return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
    }
    const around: Element[] = []
    for (
      let element: Element | null = focused;
      element && element !== document.body && around.length < 4;
      element = element.parentElement
    ) {
      around.push(element)
    }
    const isHighlighted = focused.matches('[role^="menuitem"][data-highlighted]')
    if (
      !isHighlighted &&
      !around.some((element) => isFramed(element)) &&
      !isFramed(focused, '::after') &&
      !isFramed(focused, '::before')
    ) {
      return 'no visible focus outline'
    }
    const { top, bottom, left, right } = focused.getBoundingClientRect()
    const isInWindow = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth
    return isInWindow ? '' : 'outside the window'
  })
  assert.equal(why, '', `on ${await nameFocus(page)}`)
}
