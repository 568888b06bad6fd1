import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Actor, startApp } from '../../test/app.ts'
import {
  assertError,
  assertInvalid,
  dataOf,
  makeApp,
  makeContent,
  suspend,
  times,
} from '../../test/make.ts'
import { ask, makeFlashGame, makeModule, makeModuleGame, makePageGame } from '../../test/playing.ts'
import { newId } from '../db/ids.ts'
import { makeDecision, undo } from '../../test/moderating.ts'

const app = await startApp()
const creator = await app.user()
const player = await app.user()
const ROUTES = ['play', 'stream', 'swf'] as const

async function countOf(id: string): Promise<[shown: number, rows: number]> {
  const { game } = dataOf(await creator.get(`/jump/games/${id}`))
  return [game.play_count, await app.count(`plays where game_id = '${id}'`)]
}

describe('playing a game', () => {
  test('returns a launch URL on the games origin that expires in ten minutes, and counts the play', async () => {
    const game = await makePageGame(creator)
    assert.deepEqual(game.game.runtime, 'html5')
    const before = app.clock.now()
    const { play } = dataOf(await ask(player, game.id))
    assert.deepEqual(Object.keys(play), ['id', 'game_id', 'runtime', 'launch_url', 'expires_at'])
    assert.match(play.id, /^ply_/)
    assert.deepEqual([play.game_id, play.runtime], [game.id, 'html5'])
    const lifetime = Date.parse(play.expires_at) - before
    assert.ok(lifetime >= 600_000 && lifetime < 605_000, play.expires_at)
    assert.notEqual(new URL(play.launch_url).origin, app.url)
    assert.deepEqual(await countOf(game.id), [1, 1])
  })

  test('counts every play, whoever plays and however many at once', async () => {
    const game = await makePageGame(creator)
    const [stranger, sibling] = [await app.user(), await app.sibling()]
    const path = `/jump/games/${game.id}/play`
    const callers = [player, creator, stranger, player.at(sibling.url)]
    const plays = await times(40, async (i) =>
      dataOf(await (callers[i % 4] as Actor).post(path, { id: game.id })),
    )
    assert.equal(new Set(plays.map(({ play }) => play.id)).size, 40)
    assert.deepEqual(await countOf(game.id), [40, 40])
  })

  test('returns the same play and counts it once when retried with the same Idempotency-Key', async () => {
    const game = await makePageGame(creator)
    const headers = { 'idempotency-key': 'a-play' }
    const path = `/jump/games/${game.id}/play`
    const [first, again] = [
      dataOf(await player.post(path, { id: game.id }, { headers })),
      dataOf(await player.post(path, { id: game.id }, { headers })),
    ]
    assert.deepEqual(again, first)
    assert.deepEqual(await countOf(game.id), [1, 1])
  })

  test('is limited to the author for a draft, and counts too', async () => {
    const draft = await makePageGame(creator, {}, { publish: false })
    for (const what of ROUTES) {
      assertError(await ask(player, draft.id, what), 404, 'GAME_NOT_FOUND')
    }
    dataOf(await ask(creator, draft.id))
    assert.deepEqual(await countOf(draft.id), [1, 1])
  })

  test("sends an event with the play and the game to the creator's webhook", async () => {
    const owner = await app.user()
    const game = await makePageGame(owner)
    const { id: appId } = await makeApp(owner, { scopes: ['webhooks:manage'] })
    const hook = { endpoint_url: 'http://127.0.0.1:9/', events: ['jump.play'] }
    dataOf(await owner.post(`/devconsole/apps/${appId}/webhooks`, hook), 201)
    const { play } = dataOf(await ask(player, game.id))
    const events = await app.sql(
      `select payload from webhook_events where payload like '%${game.id}%' and kind = 'jump.play'`,
    )
    assert.equal(events.length, 1)
    const { type, data } = JSON.parse(String(events[0]?.['payload']))
    assert.equal(type, 'jump.play')
    assert.deepEqual(data.play, play)
    assert.deepEqual([data.game.id, data.game.play_count], [game.id, 1])
    assert.equal(data.game.is_liked, false)
    assertInvalid(await player.post(`/jump/games/${game.id}/play`, { id: 'x' }), 'id')
    const after = await app.sql(
      `select id from webhook_events where payload like '%${game.id}%' and kind = 'jump.play'`,
    )
    assert.equal(after.length, 1)
  })
})

describe('the id in the body', () => {
  test('must equal the id in the path, which is checked before the game is loaded', async () => {
    const game = await makePageGame(creator)
    const otherGame = await makePageGame(creator)
    const unknown = newId('cnt', Date.now())
    for (const what of ROUTES) {
      const path = `/jump/games/${game.id}/${what}`
      for (const id of [
        otherGame.id,
        `${game.id} `,
        game.id.toUpperCase(),
        '',
        1,
        null,
        [game.id],
        {},
      ]) {
        assertInvalid(await player.post(path, { id }), 'id')
      }
      assertInvalid(await player.post(path, {}), 'id')
      assertInvalid(await player.post(`/jump/games/${unknown}/${what}`, { id: game.id }), 'id')
      assertInvalid(await player.post(`/jump/games/1/${what}`, { id: game.id }), 'id')
      assertError(await app.anon.post(path, { id: otherGame.id }), 401, 'UNAUTHORIZED')
      assert.equal((await player.post(path)).status, 422)
      assert.equal((await player.post(path, undefined, { raw: 'x' })).status, 422)
    }
    assert.deepEqual(await countOf(game.id), [0, 0])
    assert.deepEqual(await countOf(otherGame.id), [0, 0])
  })
})

describe('content that cannot be played', () => {
  test('is not found when missing, archived, not a game, or by a suspended creator', async () => {
    const archived = await makePageGame(creator)
    await creator.delete(`/contents/${archived.id}`)
    const gone = await app.user()
    const hidden = await makePageGame(gone)
    const admin = await app.admin()
    const suspension = { is_suspended: true, reason: 'a test' }
    dataOf(await admin.patch(`/admin/users/${gone.id}`, suspension))
    const content = await makeContent(creator)
    for (const what of ROUTES) {
      for (const id of [
        archived.id,
        hidden.id,
        content.id,
        newId('cnt', Date.now()),
        '1',
        player.id,
      ]) {
        assertError(await ask(player, id, what), 404, 'GAME_NOT_FOUND')
      }
      assertError(await ask(creator, archived.id, what), 404, 'GAME_NOT_FOUND')
    }
  })

  test('is not ready without a bundle, also for the Flash route, and counts no play', async () => {
    const game = await makeContent(creator, { category: 'jump', type: 'game' })
    for (const what of ROUTES) {
      assertError(await ask(player, game.id, what), 409, 'CONTENT_NOT_READY')
    }
    assert.deepEqual(await countOf(game.id), [0, 0])
  })
})

describe('the main file of a game', () => {
  test('is served as it was uploaded, for every runtime', async () => {
    const games = [
      [await makePageGame(creator), 'application/zip'],
      [await makeModuleGame(creator), 'application/wasm'],
      [await makeFlashGame(creator), 'application/x-shockwave-flash'],
    ] as const
    for (const [game, type] of games) {
      const { stream } = dataOf(await ask(player, game.id, 'stream'))
      assert.deepEqual(Object.keys(stream), ['url', 'mime_type', 'size_bytes', 'expires_at'])
      assert.equal(stream.mime_type, type)
      const answer = await fetch(stream.url)
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('content-type'), type)
      assert.equal(answer.headers.get('content-disposition'), 'attachment')
      const bytes = Buffer.from(await answer.arrayBuffer())
      assert.equal(bytes.length, stream.size_bytes)
      if (type === 'application/wasm') assert.deepEqual(bytes, makeModule())
      const part = await fetch(stream.url, { headers: { range: 'bytes=1-3' } })
      assert.equal(part.status, 206)
      assert.deepEqual(Buffer.from(await part.arrayBuffer()), bytes.subarray(1, 4))
      assert.deepEqual(await countOf(game.id), [0, 0])
    }
  })

  test('is served by the Flash route for Flash games only', async () => {
    const film = await makeFlashGame(creator)
    const { swf } = dataOf(await ask(player, film.id, 'swf'))
    assert.deepEqual(Object.keys(swf), ['url', 'player', 'size_bytes', 'expires_at'])
    assert.equal(swf.player, 'ruffle')
    const bytes = Buffer.from(await (await fetch(swf.url)).arrayBuffer())
    assert.equal(bytes.length, swf.size_bytes)
    assert.equal(bytes.toString('latin1', 0, 3), 'FWS')
    for (const game of [await makePageGame(creator), await makeModuleGame(creator)]) {
      assertError(await ask(player, game.id, 'swf'), 409, 'GAME_RUNTIME_MISMATCH')
    }
  })

  test('is unavailable while its creator is suspended, like a running game', async () => {
    const owner = await app.user()
    const film = await makeFlashGame(owner)
    const urls = [
      dataOf(await ask(player, film.id, 'stream')).stream.url,
      dataOf(await ask(player, film.id, 'swf')).swf.url,
      dataOf(await ask(player, film.id)).play.launch_url,
    ]
    const statuses = () => Promise.all(urls.map(async (url) => (await fetch(url)).status))
    assert.deepEqual(await statuses(), [200, 200, 200])
    await suspend(app, owner)
    assert.deepEqual(await statuses(), [404, 404, 404])
    await suspend(app, owner, false)
    assert.deepEqual(await statuses(), [200, 200, 200])
    await owner.delete(`/contents/${film.id}`)
    assert.deepEqual(await statuses(), [404, 404, 404])
  })
})

test('a game that a moderator hides stops, also for its author', async () => {
  const game = await makePageGame(creator)
  const admin = await app.admin()
  const launched = dataOf(await ask(player, game.id)).play.launch_url
  const page = (await fetch(launched)).url
  const decision = await makeDecision(admin, 'hide', 'content', game.id)
  const statuses = () => Promise.all([launched, page].map(async (url) => (await fetch(url)).status))
  assert.deepEqual(await statuses(), [404, 404])
  for (const caller of [player, creator]) {
    assertError(await ask(caller, game.id), 404, 'GAME_NOT_FOUND')
  }
  dataOf(await undo(admin, decision))
  assert.deepEqual(await statuses(), [200, 200])
})

test('former game URLs redirect a play with its method, body and query', async () => {
  const film = await makeFlashGame(creator)
  for (const what of ROUTES) {
    const answer = await fetch(`${app.url}/api/v1/games/${film.id}/${what}?x=1`, {
      method: 'POST',
      headers: { authorization: `Bearer ${player.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ id: film.id }),
    })
    assert.equal(answer.status, 200)
    assert.ok(answer.redirected)
    assert.equal(answer.url, `${app.url}/api/v1/jump/games/${film.id}/${what}?x=1`)
    assert.ok(((await answer.json()) as { data: object }).data)
  }
  assert.deepEqual(await countOf(film.id), [1, 1])
})
