/** Tests searches that run while the content that they find changes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, type Loose, startApp } from '../../test/app.ts'
import { dataOf, idsOf, makeContent } from '../../test/make.ts'
import { makeDecision, undo } from '../../test/moderating.ts'

const app = await startApp({ RATE_LIMITS: 'off' })
const [ana, admin] = [await app.user(), await app.admin()]
const TURNS = 12

/** Returns the texts of a version. Every field contains a word that no other version contains. */
const textsOf = (version: number) => ({
  title: `Heron v${version}word`,
  description: `About v${version}word`,
  tags: [`v${version}word`],
})

/**
 * Searches until `changes` has ended, and returns how many searches found the content. Each found record must match the
 * query and must not mix texts of two versions.
 */
async function searchDuring(changes: Promise<unknown>, id: string, queries: readonly string[]) {
  let isOver = false
  const ended = changes.finally(() => (isOver = true))
  let found = 0
  const search = async (q: string) => {
    while (!isOver) {
      const { feeds, pagination } = dataOf(await app.anon.get(`/search?q=${q}`))
      assert.ok(feeds.length <= 1 && pagination.total <= 1)
      for (const record of feeds as Loose[]) {
        assert.equal(record.id, id)
        const version = Number(/v(\d+)word/.exec(record.title)?.[1])
        const { title, description, tags } = textsOf(version)
        assert.deepEqual(
          [record.title, record.description, record.tags],
          [title, description, tags],
        )
        assert.ok(q === 'heron' || q === `v${version}word`, `${q} found version ${version}`)
        assert.deepEqual([record.status, record.visibility], ['published', 'public'])
      }
      found += feeds.length
    }
  }
  await Promise.all([ended, ...queries.map(search)])
  return found
}

async function inTurns(action: (turn: number) => Promise<unknown>): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await action(turn)
}

const find = async (q: string) => idsOf(dataOf(await app.anon.get(`/search?q=${q}`)).feeds)

test('beside renames, finds one whole version by its own words', async () => {
  const { id } = await makeContent(ana, textsOf(0))
  const renames = inTurns(async (turn) =>
    dataOf(await ana.patch(`/contents/${id}`, textsOf((turn + 1) % 3))),
  )
  const queries = ['v0word', 'v1word', 'v2word', 'heron']
  assert.ok((await searchDuring(renames, id, queries)) > 0)
  const last = TURNS % 3
  for (const version of [0, 1, 2])
    assert.deepEqual(await find(`v${version}word`), version === last ? [id] : [])
  dataOf(await ana.delete(`/contents/${id}`), 204)
})

const hide = async (id: string) =>
  dataOf(await undo(admin, await makeDecision(admin, 'hide', 'content', id)))
const archive = async (id: string, author: Actor) => {
  dataOf(await author.delete(`/contents/${id}`), 204)
  dataOf(await author.post(`/contents/${id}/restore`))
  dataOf(await author.patch(`/contents/${id}`, { status: 'published' }))
}
const unlist = async (id: string, author: Actor) => {
  dataOf(await author.patch(`/contents/${id}`, { visibility: 'unlisted' }))
  dataOf(await author.patch(`/contents/${id}`, { visibility: 'public' }))
}

for (const [name, change] of Object.entries({ hide, archive, unlist })) {
  test(`beside ${name} and back, finds the whole public content or nothing`, async () => {
    const { id } = await makeContent(ana, textsOf(7))
    const changes = inTurns(() => change(id, ana))
    assert.ok((await searchDuring(changes, id, ['heron', 'v7word'])) > 0)
    assert.deepEqual(await find('v7word'), [id])
    dataOf(await ana.delete(`/contents/${id}`), 204)
    assert.deepEqual(await find('v7word'), [])
  })
}
