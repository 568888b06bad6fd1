import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startApp } from './app.ts'
import { openBrowser } from './chromium.ts'
import { dataOf } from './make.ts'
import { ask, makeGameOf, zipOf } from './playing.ts'
import { zip } from '../src/demo/games/zip.ts'
import { assembleStarfall } from '../src/demo/games/starfall.ts'
import { writeNightFlight } from '../src/demo/games/night-flight.ts'
const app = await startApp()
const creator = await app.user()
test('look', async () => {
  const browser = await openBrowser()
  const dir = new URL('../src/demo/games/breakout/', import.meta.url)
  const names = ['index.html', 'game.js', 'style.css']
  const games = {
    html5: zip(names.map((name) => ({ name, bytes: readFileSync(new URL(name, dir)) }))),
    wasm: assembleStarfall(),
    swf: writeNightFlight(),
  }
  const person = await browser.newContext({ viewport: { width: 640, height: 480 } })
  for (const [kind, bytes] of Object.entries(games)) {
    const game = await makeGameOf(creator, bytes)
    const page = await person.newPage()
    page.on('console', (m) => console.log(kind, m.text()))
    page.on('pageerror', (m) => console.log(kind, String(m)))
    const { launch_url } = dataOf(await ask(creator, game.id)).play
    await page.goto(launch_url)
    await page.waitForTimeout(kind === 'swf' ? 6000 : 1500)
    await page.screenshot({ path: `/tmp/shot-${kind}-1.png` })
    await page.keyboard.press('Space')
    await page.keyboard.down(kind === 'swf' ? 'ArrowDown' : 'ArrowRight')
    await page.waitForTimeout(1200)
    await page.keyboard.up(kind === 'swf' ? 'ArrowDown' : 'ArrowRight')
    await page.screenshot({ path: `/tmp/shot-${kind}-2.png` })
    await page.keyboard.down('ArrowLeft')
    await page.waitForTimeout(9000)
    await page.screenshot({ path: `/tmp/shot-${kind}-3.png` })
    await page.close()
  }
  await browser.close()
})
