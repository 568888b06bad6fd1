import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { ENGINE, startApp } from '../../../test/app.ts'
import { openBrowser, withoutChromium } from '../../../test/chromium.ts'
import { dataOf } from '../../../test/make.ts'
import { ask, makeGameOf } from '../../../test/playing.ts'
import { GAMES, readGame } from './games.ts'

/**
 * Skips the tests without Chromium. Also skips them on PostgreSQL, because the games do not depend on the database
 * engine.
 */
const skip = withoutChromium || (ENGINE === 'postgres' && 'covered on SQLite')

test('each demo game draws a picture and reacts to keys', { skip }, async () => {
  const app = await startApp()
  const creator = await app.user()
  const browser = await openBrowser()
  const user = await browser.newContext({ viewport: { width: 480, height: 360 } })
  for (const game of GAMES) {
    const { id } = await makeGameOf(creator, readGame(game.file))
    const { launch_url, runtime } = dataOf(await ask(creator, id)).play
    assert.equal(runtime, game.runtime)
    const page = await user.newPage()
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(String(error)))
    await page.goto(launch_url)
    const look = async () => sharp(await page.screenshot()).stats()
    for (let i = 0; i < 600 && (await look()).entropy < 1; i++) await page.waitForTimeout(100)
    const { entropy } = await look()
    assert.ok(entropy > 1, `${game.texts.en.title} shows ${entropy}`)
    const before = await page.screenshot()
    await page.keyboard.down('ArrowLeft')
    await page.waitForTimeout(300)
    await page.keyboard.up('ArrowLeft')
    assert.notDeepEqual(await page.screenshot(), before)
    assert.deepEqual(problems, [], game.texts.en.title)
    await page.close()
  }
})
