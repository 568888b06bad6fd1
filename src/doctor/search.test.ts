import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { dataOf, makeContent, makePost } from '../../test/make.ts'
import { fillSearchIndex } from '../indexing/fill.ts'

const app = await startApp()

const TOKENS = 'search_documents.tokens'
const SUPERFLUOUS = 'search_documents: only rows with texts'

async function fillWith() {
  const mina = await app.user()
  const content = await makeContent(mina, {
    type: 'article',
    title: '한강의 새벽',
    tags: ["o'clock", '서울'],
    body: 'Five in the morning',
  })
  return { mina, content, post: await makePost(mina, 'A post 하나') }
}

const driftOf = async () =>
  ((await app.drifted()) as { name: string; drift: number; example: string }[]).map(
    ({ name, drift, example }) => [name, drift, example],
  )

test('finds documents that differ from their texts, are missing, or have no row', async () => {
  const { mina, content, post } = await fillWith()
  assert.deepEqual(await driftOf(), [])
  await app.sql(`update contents set title = 'Another' where id = '${content.id}'`)
  assert.deepEqual(await driftOf(), [[TOKENS, 1, content.id]])
  await app.sql(`update contents set title = '한강의 새벽' where id = '${content.id}'`)
  for (const id of [mina.id, post.id, "#o''clock"]) {
    await app.sql(`update search_documents set tokens = 'x' where id = '${id}'`)
    assert.deepEqual(await driftOf(), [[TOKENS, 1, id.replace("''", "'")]])
    await app.sql(`delete from search_documents where id = '${id}'`)
    assert.deepEqual(await driftOf(), [[TOKENS, 1, id.replace("''", "'")]])
    await app.sql(`update search_progress set reached = ''`)
    await fillSearchIndex(app.db)
    assert.deepEqual(await driftOf(), [])
  }
  await app.sql(
    `insert into search_documents (id, version, tokens) values ('cnt_gone', 1, 'cgone')`,
  )
  assert.deepEqual(await driftOf(), [[SUPERFLUOUS, 1, 'cnt_gone']])
  await app.sql(`delete from search_documents where id = 'cnt_gone'`)
})

test('indexes all rows after a restore or with a new tokeniser, and keeps those of edits', async () => {
  const { mina, content, post } = await fillWith()
  const documents = () => app.sql('select id, version, tokens from search_documents order by id')
  const before = await documents()
  const total = async (q: string, kind = 'contents') =>
    dataOf(await app.anon.get(`/search?kind=${kind}&q=${q}`)).pagination.total
  await app.sql('delete from search_documents')
  await app.sql(`update search_progress set reached = ''`)
  assert.deepEqual(await driftOf(), [], 'the server still has to index these rows')
  assert.equal(await total('morning'), 0)
  dataOf(await mina.patch(`/contents/${content.id}`, { description: 'new' }))
  assert.equal(await total('morning'), 1)
  dataOf(await mina.patch(`/contents/${content.id}`, { description: null }))
  await fillSearchIndex(app.db)
  assert.deepEqual(await documents(), before)
  assert.deepEqual(await driftOf(), [])
  await app.sql(`update search_documents set version = 0, tokens = 'x'`)
  await app.sql(`update search_progress set version = 0`)
  await fillSearchIndex(app.db)
  assert.deepEqual(await documents(), before)
  assert.ok((await total('post', 'posts')) > 0)
  assert.equal(await app.count('search_progress where reached is not null or version <> 1'), 0)
  dataOf(await mina.delete(`/posts/${post.id}`), 204)
  assert.deepEqual(await driftOf(), [])
})
