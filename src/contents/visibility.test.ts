import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Actor, startApp } from '../../test/app.ts'
import { assertError, dataOf, idsOf, makeContent, times } from '../../test/make.ts'

const app = await startApp()
const root = await app.admin()

const suspend = async (who: Actor, is_suspended: boolean) =>
  dataOf(await root.patch(`/admin/users/${who.id}`, { is_suspended }))
const publish = (who: Actor, id: string) => who.patch(`/contents/${id}`, { status: 'published' })

function byPublication(a: Published, b: Published): number {
  const [left, right] = [a, b].map(({ published_at, id }) => `${published_at} ${id}`)
  return String(left) < String(right) ? 1 : -1
}
interface Published {
  id: string
  published_at: string
}

/** Asserts that the tag rows are exactly the tags of all public contents. */
async function assertTags() {
  const contents = await app.sql(
    `select c.id, c.tags from contents c join content_stats s on s.content_id = c.id
     where s.is_public = 1`,
  )
  const expected = contents.flatMap(({ id, tags }) => {
    const names: string[] = JSON.parse(String(tags))
    return names.map((tag) => `${String(id)} ${tag.toLowerCase()}`)
  })
  const rows = await app.sql('select content_id, tag from content_tags')
  const stored = rows.map(({ content_id, tag }) => `${String(content_id)} ${String(tag)}`)
  assert.deepEqual(stored.sort(), expected.sort())
}

describe('a suspension', () => {
  test('hides all content items of the user and nothing else; lifting it restores them', async () => {
    const [ana, ben] = [await app.user(), await app.user()]
    const tags = [`Of${ana.handle}`]
    const shown = await times(4, () => makeContent(ana, { tags }))
    const game = await makeContent(ana, { category: 'jump', type: 'game', tags })
    const draft = await makeContent(ana, { publish: false, tags })
    const gone = await makeContent(ana, { tags })
    await ana.delete(`/contents/${gone.id}`)
    const remaining = await makeContent(ben, { tags })
    const listed = async () => idsOf(dataOf(await app.anon.get(`/feeds?tag=${tags[0]}`)).feeds)

    await suspend(ana, true)
    assert.deepEqual(await app.drifted(), [])
    assert.deepEqual(await listed(), [remaining.id])
    for (const { id } of [...shown, game, draft, gone]) {
      assertError(await ben.get(`/contents/${id}`), 404, 'CONTENT_NOT_FOUND')
      assertError(await ben.post(`/contents/${id}/like`), 404, 'CONTENT_NOT_FOUND')
    }

    await suspend(ana, false)
    assert.deepEqual(await app.drifted(), [])
    const restored = [...shown, game, remaining].sort(byPublication)
    assert.deepEqual(await listed(), idsOf(restored))
    for (const { id } of [draft, gone]) {
      assertError(await ben.get(`/contents/${id}`), 404, 'CONTENT_NOT_FOUND')
    }
  })

  test('hides everything when it runs in parallel with publishing and archiving', async () => {
    for (let round = 0; round < 8; round++) {
      const ana = await app.user()
      const drafts = await times(3, () => makeContent(ana, { publish: false, tags: ['race'] }))
      const contents = await times(2, () => makeContent(ana, { tags: ['race'] }))
      const answers = await Promise.all([
        ...drafts.map(({ id }) => publish(ana, id)),
        ...contents.map(({ id }) => ana.delete(`/contents/${id}`)),
        ana.post('/contents', { category: 'hype', type: 'video', title: 'in time?' }),
        root.patch(`/admin/users/${ana.id}`, { is_suspended: true }),
      ])
      for (const { status, text } of answers) assert.ok([200, 201, 204, 401].includes(status), text)
      for (const { id } of [...drafts, ...contents]) {
        assertError(await app.anon.get(`/contents/${id}`), 404, 'CONTENT_NOT_FOUND')
      }
      assert.deepEqual(await app.drifted(), [])
      await suspend(ana, false)
      assert.deepEqual(await app.drifted(), [])
    }
  })

  test('closes content of every visibility, and lifting it opens each as chosen', async () => {
    const [author, fan, stranger] = [await app.user(), await app.user(), await app.user()]
    dataOf(await fan.put(`/creators/${author.handle}/follow`))
    const contents = await Promise.all(
      ['public', 'unlisted', 'followers'].map((visibility) => makeContent(author, { visibility })),
    )
    const statuses = (actor: typeof app.anon) =>
      Promise.all(contents.map(async ({ id }) => (await actor.get(`/contents/${id}`)).status))
    await suspend(author, true)
    assert.deepEqual(await statuses(fan), [404, 404, 404])
    assert.deepEqual(await app.drifted(), [])
    await suspend(author, false)
    assert.deepEqual(await statuses(fan), [200, 200, 200])
    assert.deepEqual(await statuses(stranger), [200, 200, 404])
    assert.deepEqual(await app.drifted(), [])
  })
})

describe('in parallel', () => {
  test('publishing a draft many times counts and notifies once', async () => {
    const [ana, ben] = [await app.user(), await app.user()]
    const draft = await makeContent(ana, { title: `For @${ben.handle}`, publish: false })
    const answers = await times(20, () => publish(ana, draft.id))
    const published = answers.map((answer) => dataOf(answer).content.published_at)
    assert.equal(new Set(published).size, 1)
    assert.equal(dataOf(await ben.get('/notifications/unread-count')).unread_count, 1)
    assert.equal(dataOf(await app.anon.get(`/creators/${ana.handle}`)).creator.content_count, 1)
    assert.deepEqual(await app.drifted(), [])
  })

  test('contents that swap tags do not deadlock, and every total is correct', async () => {
    const names = Array.from({ length: 6 }, (_, i) => `traded${i}`)
    const halves = [names.slice(0, 3), names.slice(3)]
    const contents = await times(4, async () => {
      const owner = await app.user()
      return { owner, id: (await makeContent(owner, { tags: halves[0] })).id }
    })
    const started = performance.now()
    for (let round = 0; round < 8; round++) {
      const answers = await times(8, (i) => {
        const { owner, id } = contents[i % 4] as (typeof contents)[number]
        return owner.patch(`/contents/${id}`, { tags: halves[(i + (i >> 2) + round) % 2] })
      })
      for (const answer of answers) dataOf(answer)
    }
    // PostgreSQL takes a second to detect a deadlock, so several deadlocks would exceed this limit.
    assert.ok(performance.now() - started < 8_000)
    assert.deepEqual(await app.drifted(), [])
    await assertTags()
  })

  test('archiving, publishing and editing one content item end with an archived one', async () => {
    const ana = await app.user()
    const draft = await makeContent(ana, { publish: false, tags: ['one'] })
    await Promise.all([
      ...Array.from({ length: 5 }, () => publish(ana, draft.id)),
      ...Array.from({ length: 5 }, (_, i) =>
        ana.patch(`/contents/${draft.id}`, { tags: [`t${i}`] }),
      ),
      ana.delete(`/contents/${draft.id}`),
    ])
    assert.equal(dataOf(await ana.get(`/contents/${draft.id}`)).content.status, 'archived')
    assert.deepEqual(await app.drifted(), [])
  })

  test('changes of visibility, likes, comments, follows and archiving keep counts correct', async () => {
    for (let round = 0; round < 6; round++) {
      const author = await app.user()
      const contents = await times(3, () => makeContent(author, { tags: ['race', `r${round}`] }))
      const actors = await times(3, () => app.user())
      await Promise.all(actors.map((actor) => actor.put(`/creators/${author.handle}/follow`)))
      const acts = contents.flatMap(({ id }) => [
        ...['followers', 'unlisted', 'public'].map((visibility) =>
          author.patch(`/contents/${id}`, { visibility }),
        ),
        ...actors.flatMap((actor) => [
          actor.put(`/contents/${id}/like`),
          actor.post(`/contents/${id}/comments`, { body: 'x' }),
        ]),
      ])
      const [first] = contents
      const answers = await Promise.all([
        ...acts,
        actors[0]?.delete(`/creators/${author.handle}/follow`),
        author.delete(`/contents/${first.id}`),
      ])
      for (const answer of answers)
        assert.ok([200, 201, 204, 404, 409].includes(answer?.status ?? 0), answer?.text)
      assertError(await app.anon.get(`/contents/${first.id}`), 404, 'CONTENT_NOT_FOUND')
    }
    assert.deepEqual(await app.drifted(), [])
  })
})

test('counts, totals and tags match the public content after random actions of users and admins', async () => {
  const act = fc.record({
    kind: fc.constantFrom('create', 'draft', 'publish', 'archive', 'retag', 'suspend', 'lift'),
    who: fc.nat(1),
    which: fc.nat(5),
    tags: fc.array(fc.constantFrom('a', 'A', 'b', '서울'), { maxLength: 3 }),
    category: fc.constantFrom('hype', 'swipe'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 25 }), async (acts) => {
      const users = await times(2, () => app.user())
      const contents: string[][] = [[], []]
      for (const { kind, who, which, tags, category } of acts) {
        const user = users[who] as Actor
        const own = contents[who] as string[]
        const path = `/contents/${own[which % Math.max(own.length, 1)]}`
        if (kind === 'suspend' || kind === 'lift') await suspend(user, kind === 'suspend')
        else if (kind === 'publish') await user.patch(path, { status: 'published' })
        else if (kind === 'retag') await user.patch(path, { tags })
        else if (kind === 'archive') await user.delete(path)
        else {
          const body = { category, type: 'video', title: 'x', tags, publish: kind === 'create' }
          const { status, data } = await user.post('/contents', body)
          if (status === 201) own.push(data.content.id)
        }
      }
      assert.deepEqual(await app.drifted(), [])
      await assertTags()
    }),
    { numRuns: 15 },
  )
})
