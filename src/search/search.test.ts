import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, startApp } from '../../test/app.ts'
import { assertInvalid, dataOf, idsOf, makeContent, valuesOf } from '../../test/make.ts'
import { makeDecision, undo } from '../../test/moderating.ts'

const app = await startApp()

async function find(
  q: string,
  more: Record<string, string> = {},
  who: Pick<Actor, 'get'> = app.anon,
) {
  return dataOf(await who.get(`/search?${String(new URLSearchParams({ q, ...more }))}`))
}

const titlesOf = async (q: string, more?: Record<string, string>) =>
  valuesOf((await find(q, more)).feeds, 'title').toSorted()

test('finds contents by the words of their title, tags, description, article and creator', async () => {
  const mina = await app.user({ handle: 'quillmina', display_name: '김미나 Photographer' })
  const make = (over: Record<string, unknown>) => makeContent(mina, over)
  await make({ title: '한강의 새벽 Sunrise' })
  await make({ title: 'Tagged', tags: ['sunrise walks'] })
  await make({ title: 'Described', description: 'Before sunrise, at five.' })
  await make({ type: 'article', title: 'Written', body: 'A long text about a sunrise.' })
  await make({ title: 'Sunset' })
  assert.deepEqual(
    valuesOf((await find('sunrise')).feeds, 'title'),
    ['한강의 새벽 Sunrise', 'Tagged', 'Written', 'Described'],
    'the weights 4, 3, 1 and 1',
  )
  assert.equal((await find('quillmina')).pagination.total, 5)
  assert.deepEqual(await titlesOf('photograph sunset'), ['Sunset'])
  assert.deepEqual(await titlesOf('미나 sunset'), ['Sunset'])
  assert.deepEqual(await titlesOf('sunrise sunset'), [])
})

test('finds Korean syllables, pairs and longer runs, also inside a word', async () => {
  const mina = await app.user()
  for (const title of ['뚝섬유원지에서', '뚝방길', '유원지', '섬마을 원지'])
    await makeContent(mina, { title })
  assert.deepEqual(await titlesOf('뚝'), ['뚝방길', '뚝섬유원지에서'])
  assert.deepEqual(await titlesOf('뚝섬'), ['뚝섬유원지에서'])
  assert.deepEqual(await titlesOf('유원지'), ['뚝섬유원지에서', '유원지'])
  assert.deepEqual(await titlesOf('섬유원'), ['뚝섬유원지에서'])
  assert.deepEqual(await titlesOf('뚝섬원지'), [])
  assert.deepEqual(await titlesOf('원지'), ['뚝섬유원지에서', '섬마을 원지', '유원지'])
})

test('matches words as prefixes, one letter exactly, and ignores case and diacritics', async () => {
  const mina = await app.user()
  for (const title of ['Zéphyr Ｗind', 'ZEPHYRS', 'Plan Z', 'azephyr', 'ラーメン屋', 'ら ー']) {
    await makeContent(mina, { title })
  }
  assert.deepEqual(await titlesOf('zeph'), ['ZEPHYRS', 'Zéphyr Ｗind'])
  assert.deepEqual(await titlesOf('ZÉPHYR'), ['ZEPHYRS', 'Zéphyr Ｗind'])
  assert.deepEqual(await titlesOf('zéphyr win'), ['Zéphyr Ｗind'])
  assert.deepEqual(await titlesOf('z'), ['Plan Z'])
  assert.deepEqual(await titlesOf('ー'), ['ら ー', 'ラーメン屋'])
  assert.deepEqual(await titlesOf('ラーメン'), ['ラーメン屋'])
})

test('matches a phrase in one field, and leaves out what a leading - excludes', async () => {
  const mina = await app.user()
  await makeContent(mina, { title: 'Violet-harbour, lights', description: 'at night' })
  await makeContent(mina, { title: 'Harbour violet lights', description: 'violet' })
  await makeContent(mina, { title: 'Ultraviolet harbour', tags: ['violet', 'harbour'] })
  const [second, first, last] = [
    'Harbour violet lights',
    'Violet-harbour, lights',
    'Ultraviolet harbour',
  ]
  assert.deepEqual(await titlesOf('"violet  HARBOUR"'), [last, first])
  assert.deepEqual(await titlesOf('"violet"'), [second, last, first])
  assert.deepEqual(await titlesOf('"let harb"'), [last, first])
  assert.deepEqual(await titlesOf('"lights at"'), [])
  assert.deepEqual(await titlesOf('violet -lights'), [last])
  assert.deepEqual(await titlesOf('violet -"violet harbour"'), [second])
  assert.deepEqual(await titlesOf('violet-harbour -night'), [second, last])
  assert.deepEqual(await titlesOf('-violet'), [])
})

test('treats all other characters as text, and rejects only blank and long queries', async () => {
  const mina = await app.user()
  await makeContent(mina, { title: 'near or not and' })
  const texts = [
    '"',
    '""',
    '*',
    ':',
    '^',
    '( ) NEAR(',
    "';--",
    '\\',
    '%_',
    '-',
    '--',
    '-"',
    '"-"',
    '& | !',
    '<->',
    '😀',
    '()',
    "'a':*",
  ]
  for (const text of texts) {
    assert.ok((await find(text)).pagination.total >= 0, text)
  }
  assert.deepEqual(await titlesOf('NEAR OR not AND'), ['near or not and'])
  assert.deepEqual(await titlesOf('title:near* ^near'), [])
  assert.deepEqual(await titlesOf('near* ^or (not)'), ['near or not and'])
  assert.deepEqual(await titlesOf('!?… "," -'), [])
  assert.deepEqual(await titlesOf('x'.repeat(100)), [])
  for (const q of ['', '%20', 'x'.repeat(101), '%00', 'a%00b', 'a&q=b']) {
    assertInvalid(await app.anon.get(`/search?q=${q}`), 'q')
  }
  assertInvalid(await app.anon.get('/search'), 'q')
  for (const [name, value] of Object.entries({ kind: 'x', sort: 'x', category: 'x', type: 'x' })) {
    assertInvalid(await app.anon.get(`/search?q=a&${name}=${value}`), name)
  }
  assertInvalid(await app.anon.get('/search?q=a&kind=tags&sort=latest'), 'sort')
})

test('filters by category, type, tag and creator, and sorts as feeds do', async () => {
  const [mina, jisoo] = [await app.user(), await app.user()]
  const made = []
  for (const over of [
    { category: 'hype', type: 'image', tags: ['Blue'] },
    { category: 'swipe', type: 'image' },
    { category: 'hype', type: 'article', body: 'x', tags: ['blue', 'red'] },
  ]) {
    app.clock.advance(1000)
    made.push((await makeContent(mina, { title: 'Marigold', ...over })).id)
  }
  app.clock.advance(1000)
  made.push((await makeContent(jisoo, { title: 'Field', description: 'marigold' })).id)
  const [first, second, third, fourth] = made
  const idsFor = async (more: Record<string, string>) => idsOf((await find('marigold', more)).feeds)
  assert.deepEqual(await idsFor({}), [third, second, first, fourth])
  assert.deepEqual(await idsFor({ sort: 'latest' }), [fourth, third, second, first])
  assert.deepEqual(await idsFor({ category: 'hype' }), [third, first, fourth])
  assert.deepEqual(await idsFor({ type: 'image' }), [second, first, fourth])
  assert.deepEqual(await idsFor({ tag: 'BLUE' }), [third, first])
  assert.deepEqual(await idsFor({ tag: 'blue', type: 'article' }), [third])
  assert.deepEqual(await idsFor({ creator: jisoo.handle.toUpperCase() }), [fourth])
  assert.deepEqual(await idsFor({ tag: 'none' }), [])
  for (const creator of ['nobody_here', '한글']) assert.deepEqual(await idsFor({ creator }), [])
  dataOf(await jisoo.put(`/contents/${first}/like`))
  assert.deepEqual(await idsFor({ sort: 'popular' }), [first, fourth, third, second])
  assert.deepEqual(await idsFor({}), [first, third, second, fourth])
  const page = await find('marigold', { sort: 'latest', per_page: '3', page: '2' })
  assert.deepEqual(idsOf(page.feeds), [first])
  assert.deepEqual(page.pagination, {
    page: 2,
    per_page: 3,
    total: 4,
    total_pages: 2,
    has_next: false,
    has_prev: true,
    total_is_minimum: false,
  })
})

test('follows edits, publication, archiving, renames, suspension and blocks at once', async () => {
  const [mina, viewer, admin] = [await app.user(), await app.user(), await app.admin()]
  const { id } = await makeContent(mina, { title: 'Cobalt', publish: false })
  const article = await makeContent(mina, { type: 'article', title: 'Saffron', body: 'turmeric' })
  const isFound = async (q: string, who: Pick<Actor, 'get'> = app.anon) =>
    (await find(q, {}, who)).feeds.length > 0
  assert.equal(await isFound('cobalt'), false)
  assert.equal(await isFound('cobalt', mina), false)
  dataOf(await mina.patch(`/contents/${id}`, { status: 'published' }))
  assert.equal(await isFound('cobalt'), true)
  dataOf(await mina.patch(`/contents/${id}`, { title: 'Indigo', tags: ['ochre'] }))
  assert.deepEqual(
    [await isFound('cobalt'), await isFound('indigo'), await isFound('ochre')],
    [false, true, true],
  )
  dataOf(await mina.patch(`/contents/${article.id}`, { title: 'Paprika' }))
  assert.deepEqual([await isFound('turmeric paprika'), await isFound('saffron')], [true, false])
  dataOf(await mina.patch(`/contents/${article.id}`, { body: 'cumin' }))
  assert.deepEqual([await isFound('turmeric'), await isFound('cumin paprika')], [false, true])
  dataOf(await mina.patch('/auth/me', { display_name: 'Wilhelmina' }))
  assert.equal(await isFound('wilhelmina indigo'), true)
  dataOf(await mina.patch('/auth/me', { display_name: 'Other' }))
  assert.equal(await isFound('wilhelmina indigo'), false)
  dataOf(await viewer.put(`/creators/${mina.handle}/mute`))
  assert.deepEqual([await isFound('indigo', viewer), await isFound('indigo')], [false, true])
  assert.equal((await find('indigo', {}, viewer)).pagination.total, 1)
  dataOf(await viewer.delete(`/creators/${mina.handle}/mute`))
  dataOf(await viewer.put(`/creators/${mina.handle}/block`))
  assert.equal(await isFound('indigo', viewer), false)
  const umber = (await makeContent(mina, { title: 'Umber' })).id
  dataOf(await mina.delete(`/contents/${umber}`), 204)
  assert.equal(await isFound('umber'), false)
  const decision = await makeDecision(admin, 'suspend', 'user', mina.id)
  assert.equal(await isFound('indigo'), false)
  dataOf(await undo(admin, decision))
  assert.equal(await isFound('indigo'), true)
})

test('finds creators by handle, name and bio, the exact handle first', async () => {
  const named = await app.user({ handle: 'periwinkle_x', display_name: 'Anna' })
  const exact = await app.user({ handle: 'periwinkle', display_name: '보라' })
  const called = await app.user({ display_name: 'Periwinkle 보라돌이' })
  const described = await app.user()
  dataOf(await described.patch('/auth/me', { bio: 'I paint in periwinkle.' }))
  const usersOf = async (q: string, more = {}, who: Pick<Actor, 'get'> = app.anon) =>
    idsOf((await find(q, { kind: 'creators', ...more }, who)).users)
  assert.deepEqual(await usersOf('periwinkle'), [exact.id, named.id, called.id, described.id])
  assert.deepEqual(await usersOf('보라'), [called.id, exact.id])
  assert.deepEqual(await usersOf('periwinkle', { sort: 'latest' }), [
    described.id,
    called.id,
    exact.id,
    named.id,
  ])
  dataOf(await named.put(`/creators/${described.handle}/follow`))
  assert.deepEqual(await usersOf('periwinkle', { sort: 'popular' }), [
    described.id,
    called.id,
    exact.id,
    named.id,
  ])
  const [first] = (await find('periwinkle', { kind: 'creators', sort: 'popular' }, named)).users
  assert.deepEqual(first, {
    id: described.id,
    handle: described.handle,
    display_name: first.display_name,
    avatar_url: null,
    avatar_sizes: [],
    follower_count: 1,
    is_following: true,
  })
  dataOf(await named.put(`/creators/${exact.handle}/block`))
  assert.deepEqual(await usersOf('periwinkle', {}, named), [named.id, called.id, described.id])
  assert.equal((await find('periwinkle', { kind: 'creators' }, named)).pagination.total, 4)
  assert.deepEqual(await usersOf('periwinkle', { category: 'jump' }), await usersOf('periwinkle'))
})

test('finds posts and replies until they are deleted or hidden', async () => {
  const [mina, jisoo, admin] = [await app.user(), await app.user(), await app.admin()]
  const post = dataOf(await mina.post('/posts', { body: '오늘 vermilion 하늘' }), 201).post
  const path = `/posts/${post.id}/replies`
  const reply = dataOf(await jisoo.post(path, { body: 'Vermilion indeed' }), 201).post
  const postsOf = async (q: string, more = {}, who: Pick<Actor, 'get'> = app.anon) =>
    idsOf((await find(q, { kind: 'posts', ...more }, who)).posts)
  assert.deepEqual(await postsOf('vermilion'), [post.id, reply.id])
  assert.deepEqual(await postsOf('vermilion', { sort: 'latest' }), [reply.id, post.id])
  assert.deepEqual(await postsOf('하늘'), [post.id])
  dataOf(await mina.put(`/creators/${jisoo.handle}/mute`))
  assert.deepEqual(await postsOf('vermilion', {}, mina), [post.id])
  assert.equal((await find('vermilion', { kind: 'posts' }, mina)).pagination.total, 2)
  const decision = await makeDecision(admin, 'hide', 'post', reply.id)
  assert.deepEqual(await postsOf('vermilion'), [post.id])
  dataOf(await undo(admin, decision))
  assert.deepEqual(await postsOf('vermilion', { sort: 'latest' }), [reply.id, post.id])
  dataOf(await mina.delete(`/posts/${post.id}`), 204)
  assert.deepEqual(await postsOf('vermilion'), [reply.id])
  assert.equal(await app.count(`search_documents where id = '${post.id}'`), 0)
})

test('finds tags by their words, the most used first', async () => {
  const mina = await app.user()
  await makeContent(mina, { tags: ['Lo-fi beats', '로파이 음악'] })
  await makeContent(mina, { tags: ['lo-fi beats', 'beats'] })
  const draft = await makeContent(mina, { tags: ['beats draft'], publish: false })
  const found = await find('beat', { kind: 'tags' })
  assert.deepEqual(found.tags, [
    { tag: 'lo-fi beats', content_count: 2 },
    { tag: 'beats', content_count: 1 },
  ])
  assert.equal(found.pagination.total, 2)
  assert.deepEqual((await find('파이', { kind: 'tags' })).tags, [
    { tag: '로파이 음악', content_count: 1 },
  ])
  assert.deepEqual((await find('"o-fi be"', { kind: 'tags' })).tags.length, 1)
  dataOf(await mina.patch(`/contents/${draft.id}`, { status: 'published' }))
  assert.deepEqual(valuesOf((await find('beat', { kind: 'tags' })).tags, 'tag'), [
    'lo-fi beats',
    'beats',
    'beats draft',
  ])
})

test('suggests users and tags by prefix', async () => {
  const mina = await app.user({ handle: 'celadon_one', display_name: '청자 Tea House' })
  const jisoo = await app.user({ display_name: 'My Celadon' })
  await makeContent(jisoo, { tags: ['celadon', 'Celadon tea', 'not celadon'] })
  const suggest = async (q: string) =>
    dataOf(await app.anon.get(`/search/suggest?${String(new URLSearchParams({ q }))}`))
  const { users, tags } = await suggest('celad')
  assert.deepEqual(idsOf(users), [jisoo.id, mina.id])
  assert.deepEqual(tags, [
    { tag: 'celadon', content_count: 1 },
    { tag: 'celadon tea', content_count: 1 },
  ])
  for (const [q, ids] of [
    ['청', [mina.id]],
    ['청자 t', [mina.id]],
    ['자', []],
    ['House', [mina.id]],
    ['eladon', []],
    ['"', []],
  ] as const) {
    assert.deepEqual(idsOf((await suggest(q)).users), ids, q)
  }
  const answer = await app.anon.get('/search/suggest?q=c')
  assert.match(String(answer.headers.get('cache-control')), /max-age=30/)
  for (const q of ['', 'x'.repeat(51)]) {
    assertInvalid(await app.anon.get(`/search/suggest?q=${q}`), 'q')
  }
})
