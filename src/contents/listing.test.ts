/**
 * Requests every route that reads data, and checks that non-public content appears only in the author's own
 * lists and in the feed of followers.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { dataOf, makeComment, makeContent } from '../../test/make.ts'
import { makePageGame } from '../../test/playing.ts'
import { currentRoutes } from '../current-routes.ts'
import { isStaff } from '../http/auth.ts'

const app = await startApp()
const [ana, fan, stranger] = [await app.user(), await app.user(), await app.user()]
dataOf(await fan.put(`/creators/${ana.handle}/follow`))

const over = { tags: ['walk'], title: 'Not for everyone' }
const shown = await makeContent(ana, { tags: ['walk'] })
const game = await makePageGame(ana, {}, { tags: ['walk'] })
for (const { id } of [shown, game]) dataOf(await fan.put(`/contents/${id}/like`))
const comment = await makeComment(fan, shown.id)

const closed: string[] = []
for (const visibility of ['unlisted', 'followers']) {
  const content = await makeContent(ana, { ...over, visibility })
  const closedGame = await makePageGame(ana, {}, { ...over, visibility })
  for (const { id } of [content, closedGame]) {
    dataOf(await fan.put(`/contents/${id}/like`))
    closed.push(id)
  }
}

/** Values of path and query parameters, by name. */
const VALUES: Record<string, string[]> = {
  handle: [ana.handle],
  tag: ['walk'],
  q: ['everyone', 'walk', ana.handle],
  creator: [ana.handle],
}

function valuesOf(name: string, field: { enum?: readonly string[] }): string[] {
  return [...(VALUES[name] ?? field.enum ?? [])]
}

function pathsOf({ path, query, params = {} }: ReturnType<typeof currentRoutes>[number]): string[] {
  const ids = path.includes('/jump/')
    ? game.id
    : path.includes('/comments/:')
      ? comment.id
      : shown.id
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const param = params[name]
    return param && 'id' in param && param.id !== 'usr' ? ids : (VALUES[name]?.[0] ?? ids)
  })
  const queries = Object.entries(query?.properties ?? {}).flatMap(([name, field]) =>
    valuesOf(name, field as never).map((value) => `${name}=${encodeURIComponent(value)}`),
  )
  const sorts = queries.filter((text) => /^(sort|kind)=/.test(text))
  const others = queries.filter((text) => !/^(sort|kind)=/.test(text))
  const pairs = sorts.flatMap((sort) => others.map((text) => `${sort}&${text}`))
  return [filled, ...[...queries, ...pairs].map((text) => `${filled}?${text}`)]
}

const routes = currentRoutes().filter(({ method, auth }) => method === 'GET' && !isStaff(auth))

test('content that is not public is in no list of other users', async () => {
  let answered = 0
  for (const route of routes) {
    for (const path of pathsOf(route)) {
      for (const actor of [app.anon, stranger]) {
        const { status, text } = await actor.get(path)
        if (status === 200) answered += 1
        for (const id of closed) assert.ok(!text.includes(id), `${path} contains ${id}`)
        assert.ok(status < 500, path)
      }
    }
  }
  assert.ok(answered > 100, `${answered} answers`)
})

test('content for followers is listed for them in no list but the followed feeds', async () => {
  const [unlisted, unlistedGame, forFollowers, followersGame] = closed
  const found = new Set<string>()
  for (const route of routes.filter(({ id }) => !/^(listMy|listNotifications)/.test(id))) {
    for (const path of pathsOf(route)) {
      const { text } = await fan.get(path)
      for (const id of [unlisted, unlistedGame]) assert.ok(id && !text.includes(id), path)
      if ([forFollowers, followersGame].some((id) => id && text.includes(id))) found.add(path)
    }
  }
  const feeds = ['/feeds', '/feeds/hype', '/feeds/jump']
  const expected = feeds.map((path) => `/api/v1${path}?sort=following`)
  assert.deepEqual([...found].sort(), expected.sort())
})
