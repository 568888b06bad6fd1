import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get } from 'node:http'
import { describe, test } from 'node:test'
import { type Actor, startApp } from '../../test/app.ts'
import { assertError, assertInvalid, dataOf, idsOf, makeContent } from '../../test/make.ts'
import type { Document } from '../openapi/types.ts'
import { newId } from '../db/ids.ts'

const app = await startApp()
const ana = await app.user()
const makeGame = (over: Record<string, unknown> = {}, creator: Actor = ana) =>
  makeContent(creator, { category: 'jump', type: 'game', ...over })

describe('games', () => {
  test('are listed newest first, without drafts and other content', async () => {
    const first = await makeGame()
    await makeContent(ana)
    await makeGame({ publish: false })
    const second = await makeGame()
    const { games, pagination } = dataOf(await app.anon.get('/jump/games?per_page=2'))
    assert.deepEqual(idsOf(games), [second.id, first.id])
    assert.equal(pagination.total, 2)
    assert.ok(!('body' in games[0]))
  })

  test('are readable by everyone when public, and always by their author', async () => {
    const game = await makeGame({ game: { orientation: 'portrait' } })
    const draft = await makeGame({ publish: false })
    const { body: _, ...record } = game
    assert.deepEqual(dataOf(await app.anon.get(`/jump/games/${game.id}`)), { game: record })
    assert.equal(dataOf(await ana.get(`/jump/games/${draft.id}`)).game.id, draft.id)
  })

  test("are not found when missing, archived, another author's draft or not a game", async () => {
    const archived = await makeGame()
    await ana.delete(`/contents/${archived.id}`)
    const others = [await makeGame({ publish: false }), archived, await makeContent(ana)]
    for (const id of [...idsOf(others), newId('cnt', Date.now()), '1', ana.id]) {
      assertError(await app.anon.get(`/jump/games/${id}`), 404, 'GAME_NOT_FOUND')
    }
  })

  test('include the requested shelves, which contain only other public games', async () => {
    const game = await makeGame({ tags: ['hop'] })
    const like = await makeGame({ tags: ['hop'] })
    const later = await makeGame({ tags: ['hop'] })
    await makeContent(ana, { tags: ['hop'] })
    await makeGame({ tags: ['hop'], publish: false })
    dataOf(await ana.put(`/contents/${like.id}/like`))
    const path = `/jump/games/${game.id}`
    const both = dataOf(await app.anon.get(`${path}?include=related,popular`))
    assert.deepEqual(idsOf(both.related.slice(0, 2)), [like.id, later.id])
    assert.equal(both.popular[0].id, like.id)
    for (const shelf of [both.related, both.popular]) {
      assert.ok(shelf.length <= 8)
      assert.ok(!idsOf(shelf).includes(game.id))
      for (const { category, status } of shelf) {
        assert.deepEqual([category, status], ['jump', 'published'])
      }
    }
    const response = dataOf(await app.anon.get(`${path}?include=popular`))
    assert.deepEqual(Object.keys(response).sort(), ['game', 'popular'])
    assertInvalid(await app.anon.get(`${path}?include=popular,nonsense`), 'include')
    assertInvalid(await app.anon.get(`${path}?include=constructor`), 'include')
    assertInvalid(await app.anon.get('/jump/games/zzz?include=nonsense'), 'include')
    assertError(await app.anon.get('/jump/games/zzz?include=popular'), 404, 'GAME_NOT_FOUND')
  })

  test('count a view of their page, like other content', async () => {
    const game = await makeGame()
    for (const path of [`/jump/games/${game.id}`, `/contents/${game.id}`]) {
      dataOf(await app.anon.get(path))
      dataOf(await ana.get(path))
    }
    await app.deps.views.flush()
    assert.equal(dataOf(await ana.get(`/jump/games/${game.id}`)).game.view_count, 1)
  })
})

describe('former game URLs', () => {
  test('redirect to their successors with 308 and keep the query', async () => {
    const id = newId('cnt', Date.now())
    for (const [method, path] of [
      ['GET', '/games?page=2&per_page=5'],
      ['HEAD', '/games'],
      ['GET', `/games/${id}?include=related`],
      ['GET', '/games/%2F%2Fevil.example'],
      ['POST', `/games/${id}/play`],
      ['POST', `/games/${id}/stream`],
      ['POST', `/games/${id}/swf?x=1`],
    ] as const) {
      const body = method === 'POST' ? { id } : undefined
      const answer = await app.anon.request(method, path, body)
      assert.equal(answer.status, 308, path)
      assert.equal(answer.headers.get('location'), `/api/v1/jump${path}`)
      assert.equal(answer.headers.get('x-api-version'), 'v1')
    }
    const disguised = await fetch(`${app.url}/%61pi/%76%31/games/x?q=/`, { redirect: 'manual' })
    assert.equal(disguised.status, 308)
    assert.equal(disguised.headers.get('location'), '/api/v1/jump/games/x?q=/')
    // Requests the URL in absolute form, which servers must accept.
    const path = `${app.url}/api/v1/games/x?q=/`
    const [whole] = await once(get(app.url, { path }), 'response')
    assert.equal(whole.statusCode, 308)
    assert.equal(whole.headers.location, '/api/v1/jump/games/x?q=/')
    whole.resume()
  })

  test('are missing when they are too long to repeat in the response', async () => {
    const { paths }: Document = JSON.parse(await (await fetch(`${app.url}/openapi.json`)).text())
    for (const [method, path] of [
      ['GET', '/games'],
      ['GET', '/games/{id}'],
      ['POST', '/games/{id}/play'],
      ['POST', '/games/{id}/stream'],
      ['POST', '/games/{id}/swf'],
    ] as const) {
      const url = `${path.replace('{id}', 'x')}?${'x'.repeat(4096)}`
      assertError(await app.anon.request(method, url), 404, 'GAME_NOT_FOUND')
      const operation = paths[`/api/v1${path}`]?.[method.toLowerCase()]
      assert.ok(operation?.responses['404'], path)
    }
  })

  test('may be called from other origins', async () => {
    const headers = { origin: 'https://one.example' }
    const asked = await app.anon.request('OPTIONS', '/games/x/play', undefined, { headers })
    assert.equal(asked.status, 204)
    assert.match(asked.headers.get('access-control-allow-methods') ?? '', /POST/)
    const led = await app.anon.post('/games/x/play', {}, { headers })
    assert.equal(led.status, 308)
    assert.equal(led.headers.get('access-control-allow-origin'), '*')
  })

  test('reject other methods and deeper paths', async () => {
    const answer = await app.anon.post('/games', {})
    assertError(answer, 405, 'METHOD_NOT_ALLOWED')
    assert.equal(answer.headers.get('allow'), 'GET, HEAD, OPTIONS')
    assertError(await app.anon.get('/games//evil.example/'), 404, 'ROUTE_NOT_FOUND')
  })
})
