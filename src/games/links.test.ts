import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { anyone } from '../../test/actors.ts'
import { startApp } from '../../test/app.ts'
import { assertError, dataOf } from '../../test/make.ts'
import { ask, launch, makeFlashGame, makePageGame } from '../../test/playing.ts'
import type { Config } from '../config.ts'
import { GameLinks } from './links.ts'

const app = await startApp({ SIGNED_URL_TTL: '60' })
const creator = await app.user()
const player = await app.user()
const film = await makeFlashGame(creator)

async function urls(): Promise<Record<'launch' | 'stream' | 'swf', string>> {
  return {
    launch: dataOf(await ask(player, film.id)).play.launch_url,
    stream: dataOf(await ask(player, film.id, 'stream')).stream.url,
    swf: dataOf(await ask(player, film.id, 'swf')).swf.url,
  }
}

/** Returns the status of a successful response, or the error response. */
async function answerOf(url: string) {
  const { origin, pathname } = new URL(url)
  const answer = await fetch(url, { redirect: 'manual' })
  assert.ok(answer.status < 400 || answer.headers.get('content-type')?.includes('json'), url)
  return answer.status < 400 ? answer.status : anyone(origin).get(`/api/../..${pathname}`)
}

async function assertForbidden(url: string): Promise<void> {
  const answer = await answerOf(url)
  assert.ok(typeof answer === 'object', `${url} is accepted`)
  assertError(answer, 403, 'FORBIDDEN')
}

describe('a signed URL', () => {
  test('works repeatedly and without a session until it expires', async () => {
    const { launch: launched, stream, swf } = await urls()
    for (let i = 0; i < 3; i++) {
      assert.deepEqual(
        [await answerOf(launched), await answerOf(stream), await answerOf(swf)],
        [302, 200, 200],
      )
    }
    app.clock.advance(59_000)
    assert.equal(await answerOf(stream), 200)
    app.clock.advance(1001)
    for (const url of [launched, stream, swf]) await assertForbidden(url)
  })

  test('is rejected when any character is altered', async () => {
    const { stream } = await urls()
    const token = stream.slice(stream.lastIndexOf('/') + 1)
    const base = stream.slice(0, -token.length)
    for (let index = 0; index < token.length; index++) {
      for (const character of ['A', '.']) {
        if (token[index] === character) continue
        await assertForbidden(
          `${base}${token.slice(0, index)}${character}${token.slice(index + 1)}`,
        )
      }
    }
    const [id, end, proof] = token.split('.') as [string, string, string]
    for (const altered of [
      `${id}.${end}`,
      `${id}.0${end}.${proof}`,
      `${id}.${end}.${proof}A`,
      `${id}.${end}.${proof}.`,
      `${id}.${end}.`,
      `.${end}.${proof}`,
      `${id}.zzzzzzzzz.${proof}`,
      `${id}.${(Date.now() + 1e9).toString(36)}.${proof}`,
      'x',
      `${token}%00`,
      'x'.repeat(5000),
    ]) {
      await assertForbidden(base + altered)
    }
    assert.equal(await answerOf(stream), 200)
  })

  test('is rejected for any other purpose', async () => {
    const found = Object.entries(await urls())
    for (const [from, url] of found) {
      const token = url.slice(url.lastIndexOf('/') + 1)
      const { origin } = new URL(url)
      for (const to of ['launch', 'stream', 'swf'].filter((name) => name !== from)) {
        await assertForbidden(`${origin}/${to}/${token}`)
      }
      await assertForbidden(`${origin}/play/${token}/`)
      await assertForbidden(`${origin}/play/${token}/file`)
    }
  })

  test('is rejected for any other game', async () => {
    const otherGame = await makePageGame(creator)
    const { stream } = await urls()
    await assertForbidden(stream.replace(film.id, otherGame.id))
  })

  test('is accepted by every process with the same secret', async () => {
    const sibling = await app.sibling()
    const { stream } = await urls()
    const siblingStream = dataOf(
      await player.at(sibling.url).post(`/jump/games/${film.id}/stream`, { id: film.id }),
    ).stream.url
    const elsewhere = (url: string, originUrl: string) => {
      const { origin } = new URL(originUrl)
      return origin + new URL(url).pathname
    }
    assert.notEqual(new URL(stream).origin, new URL(siblingStream).origin)
    assert.equal(await answerOf(elsewhere(stream, siblingStream)), 200)
    assert.equal(await answerOf(elsewhere(siblingStream, stream)), 200)
    const stranger = await startApp({ TOKEN_SECRET: 'another-secret-another-secret-another' })
    const { origin } = new URL(stranger.deps.games.origin(''))
    await assertForbidden(origin + new URL(stream).pathname)
  })
})

test('a launched game can load files for one day', async () => {
  const game = await makePageGame(creator, { 'level-9.json': '9' })
  const base = await launch(player, game.id)
  app.clock.advance(24 * 60 * 60 * 1000 - 5000)
  assert.equal(await answerOf(`${base}level-9.json`), 200)
  app.clock.advance(6000)
  await assertForbidden(`${base}level-9.json`)
})

test('links use the origin under which users reach the games', () => {
  const settings = { tokenSecret: 'x'.repeat(32), signedUrlTtl: 600 }
  const originOf = (config: Partial<Config>, host = 'here.example:3000') => {
    const links = new GameLinks({
      ...settings,
      gamesUrl: undefined,
      publicUrl: undefined,
      host: '127.0.0.1',
      ...config,
    })
    links.listensAt(3001)
    return links.origin(host)
  }
  assert.equal(originOf({}), 'http://127.0.0.1:3001')
  assert.equal(originOf({ host: '::1' }), 'http://[::1]:3001')
  assert.equal(originOf({ host: '10.0.0.7' }), 'http://10.0.0.7:3001')
  const gamesUrl = 'https://games.example'
  assert.equal(originOf({ gamesUrl, publicUrl: 'https://plaza.example' }), gamesUrl)
  assert.equal(originOf({ publicUrl: 'https://plaza.example' }), 'https://plaza.example:3001')
  // The Host header is used only when the server listens on all addresses and no setting contains the
  // server's name.
  for (const host of ['0.0.0.0', '::']) {
    assert.equal(originOf({ host }), 'http://here.example:3001')
    assert.equal(originOf({ host }, '[fe80::1]:3000'), 'http://[fe80::1]:3001')
    assert.equal(originOf({ host, publicUrl: 'http://one.example' }), 'http://one.example:3001')
  }
  assert.equal(originOf({ host: '0.0.0.0' }, 'what is this?'), 'http://127.0.0.1:3001')
  assert.equal(originOf({ host: '::' }, ''), 'http://[::1]:3001')
  assert.equal(originOf({ host: '0.0.0.0' }, 'a@evil.example/x'), 'http://evil.example:3001')
})
