import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withoutChromium } from '../../test/chromium.ts'
import { until } from '../../test/receiver.ts'
import { makePng } from '../../test/uploads.ts'
import {
  assertSound,
  type Member,
  publishArticle,
  setStage,
  enterPassword,
  publishFiles,
} from './stage.ts'

describe('in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const stage = await setStage()
  const boss = await stage.admin('boss', 'Boss')
  const mina = await stage.member('mina', 'Mina')
  const joon = await stage.member('joon', 'Joon')
  const kim = await stage.member('kim', 'Kim')
  const idOf = async ({ plaza }: Member) => (await plaza.me.get()).user.id
  await boss.plaza.users.updatePermissions(await idOf(kim), { permissions: ['moderate'] })
  const content = await publishArticle(mina)
  const { revision } = await boss.plaza.site.getSettings()
  const rules = [{ text: { en: 'Respect each other.', ko: '서로 존중해 주세요.' } }]
  await boss.plaza.site.updateRules({ revision, rules })

  test('a reported comment is hidden by keyboard, appealed against and shown again', async () => {
    await joon.plaza.comments.create(content.id, { body: 'You are a fool.' })
    const { comments } = await joon.plaza.comments.list(content.id)
    const parent_id = String(comments[0]?.id)
    await mina.plaza.comments.create(content.id, { body: 'Please stop.', parent_id })
    const harassed = await stage.visit(`/contents/${content.id}`, mina)
    const comment = harassed.getByRole('article').filter({ hasText: 'You are a fool.' }).first()
    await comment.getByRole('button', { name: 'More', exact: true }).click()
    await harassed.getByRole('menuitem', { name: 'Report comment' }).click()
    const report = harassed.getByRole('dialog', { name: 'Report comment' })
    await report.getByRole('radio', { name: 'Harassment or hate' }).check()
    await report.getByLabel('Broken rule (optional)').selectOption('Respect each other.')
    await report.getByLabel('Anything else? (optional)').fill('He does this every day.')
    await assertSound(harassed)
    await report.getByRole('button', { name: 'Send report' }).click()
    const sent = harassed.getByRole('dialog', { name: 'Report sent' })
    await sent.getByRole('button', { name: 'Block' }).waitFor()
    await assertSound(harassed)
    await sent.getByRole('button', { name: 'Close' }).last().click()

    const desk = await stage.visit('/', kim)
    await desk.getByRole('button', { name: 'Your menu, Kim' }).click()
    await desk.getByRole('menuitem', { name: 'Moderation (1)' }).click()
    await desk.getByText('Choose a case').waitFor()
    await desk.getByRole('list', { name: 'Cases' }).getByText('You are a fool.').waitFor()
    await assertSound(desk)
    await desk.keyboard.press('?')
    await desk.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Dismiss').waitFor()
    await assertSound(desk)
    await desk.keyboard.press('Escape')
    await desk.getByRole('dialog').waitFor({ state: 'detached' })
    await desk.keyboard.press('j')
    await desk.getByRole('heading', { name: 'Comment: Joon' }).waitFor()
    await desk.getByText('He does this every day.').waitFor()
    await desk.getByText('Rule: Respect each other.').waitFor()
    await desk.getByRole('link', { name: 'Comment on “A walk along the river”' }).waitFor()
    await desk.keyboard.press('a')
    await desk.getByText('Assigned to Kim').waitFor()
    await assertSound(desk)
    await desk.keyboard.press('h')
    const ask = desk.getByRole('dialog', { name: 'Hide this?' })
    const reason = ask.getByLabel('Reason', { exact: true })
    assert.equal(await reason.inputValue(), 'Harassment or hate')
    await ask.getByLabel('Common reasons').selectOption('Respect each other.')
    assert.equal(await reason.inputValue(), 'Respect each other.')
    await reason.fill('An insult')
    // Letters typed into the reason are text, not shortcuts.
    await reason.press('End')
    await desk.keyboard.type('d')
    assert.equal(await reason.inputValue(), 'An insultd')
    await desk.keyboard.press('Backspace')
    await assertSound(desk)
    await desk.keyboard.press('Enter')
    await desk.getByRole('button', { name: 'Undo' }).waitFor()
    await desk.getByText('Nothing to review').waitFor()
    await harassed.reload()
    await harassed.getByRole('heading', { level: 1, name: 'A walk along the river' }).waitFor()
    await harassed.getByText('Moderators hid this comment.').waitFor()
    assert.equal(await harassed.getByText('You are a fool.').count(), 0)
    await harassed.goto(`${stage.app.url}/decisions?list=reports`)
    await harassed.getByRole('listitem').getByText('Action taken').waitFor()
    await assertSound(harassed)

    const author = await stage.visit('/notifications', joon, { width: 390 })
    await author.getByRole('main').getByRole('link', { name: /hid/ }).first().click()
    await author.getByRole('heading', { level: 1, name: 'Moderators hid this' }).waitFor()
    await author.getByText('An insult').waitFor()
    await author.getByText('Respect each other.').waitFor()
    await author.getByText('You are a fool.').waitFor()
    await author.getByLabel('Your appeal').fill('I quoted the film.')
    await assertSound(author)
    await author.getByRole('button', { name: 'Send appeal' }).click()
    await author.getByText('In review').waitFor()
    assert.equal(await author.getByLabel('Your appeal').count(), 0)
    await author.getByRole('link', { name: 'All decisions' }).click()
    await author.getByText('Appeal: In review').waitFor()
    await assertSound(author)

    await desk.goto(`${stage.app.url}/moderation/appeals`)
    await desk.getByText('I quoted the film.').waitFor()
    await desk.getByRole('radio', { name: 'Grant it and undo the decision' }).check()
    await desk.getByLabel('Answer').fill('We see it now.')
    await assertSound(desk)
    await desk.getByRole('button', { name: 'Send answer' }).click()
    await desk.getByText('No appeals').waitFor()
    await harassed.goto(`${stage.app.url}/contents/${content.id}`)
    await harassed.getByText('You are a fool.').waitFor()
    await author.getByRole('link', { name: 'Moderators hid this' }).click()
    await author.getByText('We see it now.').waitFor()
  })

  test('spam is hidden with one reason and shown again by an undo', async () => {
    for (const body of ['Buy this', 'Buy that', 'Good morning']) {
      const { post } = await joon.plaza.posts.create({ body })
      const subject = { kind: 'post', id: post.id } as const
      await mina.plaza.reports.create({ subject, reason: 'spam' })
    }
    const shown = async () =>
      (await mina.plaza.posts.list()).posts.map(({ body }) => body).filter(Boolean)
    const desk = await stage.visit('/moderation?reason=spam', kim)
    await desk.getByRole('checkbox', { name: 'Select “Buy this”' }).check()
    await desk.getByRole('checkbox', { name: 'Select “Buy that”' }).check()
    await desk.getByText('2 selected').waitFor()
    await assertSound(desk)
    await desk.getByRole('button', { name: 'Hide all' }).click()
    const ask = desk.getByRole('dialog', { name: 'Hide this?' })
    await ask.getByText('The same reason for 2 cases.').waitFor()
    await ask.getByRole('button', { name: 'Hide' }).click()
    await desk.getByText('2 cases decided').waitFor()
    assert.deepEqual(await shown(), ['Good morning'])
    await desk.getByRole('button', { name: 'Undo' }).click()
    await desk.getByText('Decision undone').waitFor()
    assert.deepEqual((await shown()).toSorted(), ['Buy that', 'Buy this', 'Good morning'])

    await desk.goto(`${stage.app.url}/moderation/decisions?action=hide`)
    await desk.getByRole('list', { name: 'Decisions' }).getByText('Undone').first().waitFor()
    await assertSound(desk)
    for (const { id, body } of (await mina.plaza.posts.list()).posts) {
      const subject = { kind: 'post', id } as const
      if (body.startsWith('Buy')) await mina.plaza.reports.create({ subject, reason: 'other' })
    }
    await desk.goto(`${stage.app.url}/moderation`)
    await desk.getByRole('checkbox', { name: 'Select “Buy this”' }).check()
    await desk.getByRole('checkbox', { name: 'Select “Buy that”' }).check()
    await desk.getByRole('button', { name: 'Dismiss all' }).click()
    const dismissal = desk.getByRole('dialog', { name: 'Dismiss the reports?' })
    await dismissal.getByRole('button', { name: 'Dismiss' }).click()
    await desk.getByText('2 cases decided').waitFor()
    assert.equal((await shown()).length, 3)
    await desk.getByRole('link', { name: /Good morning/ }).click()
    await desk.getByRole('heading', { name: 'Decisions about this user' }).waitFor()
    await desk.keyboard.press('d')
    await desk.getByRole('dialog', { name: 'Dismiss the reports?' }).waitFor()
    await desk.keyboard.press('Enter')
    await desk.getByText('Case dismissed').waitFor()
    await desk.getByText('Nothing to review').waitFor()
    assert.equal(await desk.getByRole('button', { name: 'Undo' }).count(), 0)
  })

  test('the author of hidden content reads why on its page', async () => {
    const walk = await publishArticle(joon, 'Secrets')
    const subject = { kind: 'content', id: walk.id } as const
    await boss.plaza.moderation.createDecision({ subject, action: 'hide', reason: 'Leaked' })
    const page = await stage.visit(`/contents/${walk.id}`, joon, { width: 390 })
    await page.getByText('Moderators hid this, so only you can see it. Reason: Leaked').waitFor()
    await assertSound(page)
    await page.getByRole('link', { name: 'Details and appeal' }).click()
    await page.getByRole('link', { name: 'Open work' }).waitFor()
    await page.goto(`${stage.app.url}/library`)
    await page.getByText('Hidden by moderators').waitFor()
    await page.goto(`${stage.app.url}/account?part=people`)
    await page.getByRole('main').getByRole('link', { name: 'Open' }).click()
    await page.getByRole('link', { name: 'Moderators hid this' }).first().waitFor()
  })

  test('a file is blocked by keyboard, and the content stays without it', async () => {
    const sea = await publishFiles(joon, 'Sea', [await makePng()])
    const subject = { kind: 'content', id: sea.id } as const
    await mina.plaza.reports.create({ subject, reason: 'copyright' })
    const desk = await stage.visit('/moderation?reason=copyright', kim)
    await desk.getByRole('link', { name: /Sea/ }).click()
    await desk.getByRole('heading', { name: 'Work: Joon' }).waitFor()
    await assertSound(desk)
    await desk.keyboard.press('b')
    await desk.getByRole('dialog', { name: 'Block this file?' }).waitFor()
    await assertSound(desk)
    await desk.keyboard.press('Enter')
    await desk.getByText('File blocked').waitFor()
    const { content: left } = await mina.plaza.contents.get(sea.id)
    assert.deepEqual([left.title, left.media[0]?.url], ['Sea', null])
  })

  test('an admin hides everything that a user posted today and shows it again', async () => {
    const ann = await stage.member('ann', 'Ann')
    const { post } = await ann.plaza.posts.create({ body: 'Cheap watches' })
    const subject = { kind: 'user', id: await idOf(ann) } as const
    await mina.plaza.reports.create({ subject, reason: 'spam' })
    const desk = await stage.visit('/moderation?kind=user', boss)
    await desk.getByRole('link', { name: /Ann/ }).click()
    await desk.getByRole('button', { name: 'Hide recent' }).waitFor()
    await desk.keyboard.press('p')
    const ask = desk.getByRole('dialog', { name: 'Hide everything recent?' })
    await ask.getByLabel('Since').selectOption('1 hour ago')
    await assertSound(desk)
    await ask.getByRole('button', { name: 'Hide recent' }).click()
    await desk.getByText('Hiding everything').waitFor()
    const isShown = async () =>
      (await mina.plaza.posts.list()).posts.some(({ id }) => id === post.id)
    await until(async () => !(await isShown()))
    await desk.goto(`${stage.app.url}/moderation/decisions?action=sweep`)
    await desk.getByText('1 thing', { exact: true }).waitFor()
    await desk.getByRole('button', { name: 'Undo' }).click()
    await desk
      .getByRole('list', { name: 'Decisions' })
      .getByText('Undone', { exact: true })
      .waitFor()
    await until(isShown)
  })

  test('an admin suspends a user, who appeals at sign-in and reads the answer there or at /appeal', async () => {
    const lee = await stage.member('lee', 'Lee')
    const subject = { kind: 'user', id: await idOf(lee) } as const
    await mina.plaza.reports.create({ subject, reason: 'abuse' })
    const desk = await stage.visit('/moderation', boss, { width: 390 })
    await desk.getByRole('link', { name: /Lee/ }).click()
    await desk.getByRole('link', { name: 'Manage user' }).waitFor()
    await assertSound(desk)
    await desk.getByRole('button', { name: 'Suspend' }).click()
    const ask = desk.getByRole('dialog', { name: 'Suspend this user?' })
    await ask.getByLabel('Reason', { exact: true }).fill('Threats')
    await ask.getByRole('button', { name: 'Suspend' }).click()
    await desk.getByText('User suspended').waitFor()

    const page = await stage.visit('/sign-in')
    const signIn = async () => {
      await enterPassword(page, lee)
      await page.getByRole('region', { name: 'Appeal' }).getByText('Threats').waitFor()
    }
    await signIn()
    await page.getByLabel('Why is this a mistake?').fill('My brother wrote that.')
    await assertSound(page)
    await page.getByRole('button', { name: 'Send appeal' }).click()
    await page.getByText("We've received your appeal.").waitFor()
    const { appeals } = await boss.plaza.moderation.listAppeals({ status: 'open' })
    const answer = { outcome: 'upheld', answer: 'Change your password first.' } as const
    await boss.plaza.moderation.answerAppeal(String(appeals[0]?.id), answer)
    await page.reload()
    await signIn()
    await page.getByLabel('Why is this a mistake?').fill('Hello?')
    await page.getByRole('button', { name: 'Send appeal' }).click()
    await page.getByText('Change your password first.').waitFor()

    await page.goto(`${stage.app.url}/appeal`)
    await page.getByLabel('Handle or email').fill('lee')
    await page.getByLabel('Password', { exact: true }).fill('wrong password 1')
    await page.getByLabel('Why is this a mistake?').fill('Hello?')
    await page.getByRole('button', { name: 'Send appeal' }).click()
    await page.getByText('Wrong handle, email or password.').waitFor()
    await page.getByLabel('Password', { exact: true }).fill(lee.password)
    await assertSound(page)
    await page.getByRole('button', { name: 'Send appeal' }).click()
    await page.getByText('Change your password first.').waitFor()
  })

  test('the desk shows a 404 page to ordinary users, and only allowed actions to moderators', async () => {
    const page = await stage.visit('/moderation', joon)
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    const subject = { kind: 'user', id: await idOf(joon) } as const
    await mina.plaza.reports.create({ subject, reason: 'other' })
    const desk = await stage.visit('/moderation', kim)
    await desk.getByRole('link', { name: /Joon/ }).click()
    await desk.getByRole('button', { name: 'Warn' }).waitFor()
    for (const name of ['Hide', 'Rate', 'Suspend', 'Hide recent']) {
      assert.equal(await desk.getByRole('button', { name, exact: true }).count(), 0)
    }
    assert.equal(await desk.getByRole('link', { name: 'Manage user' }).count(), 0)
  })
})
