import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp } from '../../test/app.ts'
import { withoutChromium } from '../../test/chromium.ts'
import { openPlayers } from '../../test/framed.ts'
import { until } from '../../test/receiver.ts'
import { makeFlashGame, makeModuleGame, makePageGame } from '../../test/playing.ts'

const app = await startApp()
const creator = await app.user()
const player = await app.user()
const PATIENCE_MS = 2500

describe('keyboard and console of games in a browser', { skip: withoutChromium }, async () => {
  if (withoutChromium) return
  const { play } = await openPlayers(player)

  test('logs only messages of the game, and 404 for its missing files', async () => {
    for (const { id } of [
      await makePageGame(creator),
      await makeModuleGame(creator),
      await makeFlashGame(creator),
    ]) {
      const { page, inside, said } = await play({ id })
      await inside.evaluate(`console.warn('by the game')`)
      await sleep(PATIENCE_MS)
      // The browser logs these messages when there is no graphics card, and when sound starts before the
      // first click.
      const own = said.filter(
        (line) => !/AudioContext was not allowed|GL Driver Message/.test(line),
      )
      assert.equal(own.length, 1, own.join('\n'))
      assert.match(String(own[0]), /^by the game/)
      await page.close()
    }
    const { page, said } = await play(
      await makePageGame(creator, {
        'index.html': `<!doctype html><link rel="stylesheet" href="none.css"><script src="none.js"></script>
          <script type="module" src="none.mjs"></script><img src="none.png"><audio src="none.mp3"></audio>
          <style>@font-face { font-family: none; src: url(none.woff2) } p { font-family: none }</style><p>Play!`,
      }),
    )
    await sleep(PATIENCE_MS)
    for (const name of ['none.css', 'none.js', 'none.mjs', 'none.png', 'none.woff2']) {
      assert.ok(
        said.some((line) => line.includes('status of 404') && line.endsWith(`/${name}`)),
        `${name}: ${said.join('\n')}`,
      )
    }
    assert.deepEqual(
      said.filter((line) => !line.includes('status of 404')),
      [],
    )
    await page.close()
  })

  test('does not scroll the page around a game, whatever key is pressed', async () => {
    const { page, inside } = await play(
      await makePageGame(creator, {
        'index.html': `<!doctype html><input id="text" value="ab"><button id="button">Go</button>
          <div id="list" style="height: 60px; overflow: auto"><div style="height: 300px" tabindex="0" id="item">Long</div></div>
          <canvas id="canvas" tabindex="0"></canvas><script>
          window.pressed = []
          canvas.addEventListener('keydown', (event) => event.stopPropagation())
          button.addEventListener('click', () => { window.isClicked = true })
          addEventListener('keypress', ({ key }) => window.pressed.push(key))
          </script>`,
      }),
    )
    const KEYS = [
      'ArrowDown',
      'PageDown',
      'End',
      'Space',
      'Shift+Space',
      'ArrowUp',
      'PageUp',
      'Home',
      'Control+End',
      'Alt+ArrowDown',
    ]
    const places: [string, number][] = []
    for (const place of ['body', '#text', '#button', '#canvas', '#item']) {
      await inside.evaluate(
        place === 'body'
          ? 'focus()'
          : `document.querySelector('${place}').focus({ preventScroll: true })`,
      )
      await page.evaluate('scrollTo(0, 100)')
      for (const key of KEYS) {
        await page.keyboard.press(key)
        await sleep(150)
        places.push([`${place} ${key}`, Number(await page.evaluate('scrollY'))])
      }
    }
    assert.deepEqual(
      places.filter(([, scrollY]) => scrollY !== 100),
      [],
    )
    assert.equal(await inside.evaluate('window.isClicked'), true)
    assert.ok(Number(await inside.evaluate('window.pressed.length')) > 0)
    await inside.focus('#item')
    await page.keyboard.press('ArrowDown')
    await until(async () => Number(await inside.evaluate('list.scrollTop')) > 0)
    assert.equal(await page.evaluate('scrollY'), 100)
    await page.close()
  })

  test('leaves a game by Tab', async () => {
    for (const game of [await makePageGame(creator), await makeModuleGame(creator)]) {
      const { page, inside } = await play(game)
      await page.evaluate(
        `document.body.append(Object.assign(document.createElement('button'), { textContent: 'After' }))`,
      )
      await inside.evaluate('focus()')
      await until(
        async () => (await page.evaluate('document.activeElement.localName')) === 'iframe',
      )
      await page.keyboard.press('Tab')
      await until(
        async () => (await page.evaluate('document.activeElement.localName')) === 'button',
      )
      await page.close()
    }
  })
})
