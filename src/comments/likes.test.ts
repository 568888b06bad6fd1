import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, type Loose, startApp } from '../../test/app.ts'
import { assertError, dataOf, idsOf, makeComment, makeContent, times } from '../../test/make.ts'

const app = await startApp()
const [ana, ben, cho] = [await app.user(), await app.user(), await app.user()]

const like = async (user: Actor, id: string) => dataOf(await user.put(`/comments/${id}/like`))
const unlike = async (user: Actor, id: string) => dataOf(await user.delete(`/comments/${id}/like`))
const pageOf = async (contentId: string, query = '', user: Pick<Actor, 'get'> = app.anon) =>
  dataOf(await user.get(`/contents/${contentId}/comments?sort=top${query}`))
const likesTo = async (user: Actor) =>
  dataOf(await user.get('/notifications?per_page=100')).notifications.filter(
    ({ type }: Loose) => type === 'like',
  )

test('counts a like once and shows it to its viewer only', async () => {
  const content = await makeContent(ana)
  const { id } = await makeComment(ben, content.id)
  for (let i = 0; i < 2; i++)
    assert.deepEqual(await like(cho, id), { is_liked: true, like_count: 1 })
  assert.deepEqual(await like(ben, id), { is_liked: true, like_count: 2 })
  for (const [user, isLiked] of [
    [cho, true],
    [ana, false],
    [app.anon, false],
  ] as const) {
    const [comment] = (await pageOf(content.id, '', user)).comments
    assert.deepEqual([comment.is_liked, comment.like_count], [isLiked, 2])
  }
  const edited = dataOf(await ben.patch(`/comments/${id}`, { body: 'y' })).comment
  assert.deepEqual([edited.is_liked, edited.like_count], [true, 2])
  for (let i = 0; i < 2; i++)
    assert.deepEqual(await unlike(cho, id), { is_liked: false, like_count: 1 })
})

test('notifies the writer once, withdraws unread notifications, and never notifies of own likes', async () => {
  const [writer, content] = [await app.user(), await makeContent(ana, { title: 'Dawn' })]
  const { id } = await makeComment(writer, content.id)
  await like(writer, id)
  assert.deepEqual(await likesTo(writer), [])
  await like(cho, id)
  const [note, ...others] = await likesTo(writer)
  assert.deepEqual(
    [note.actor.id, note.link, others],
    [cho.id, `/contents/${content.id}#${id}`, []],
  )
  assert.match(note.message, /Dawn/)
  await unlike(cho, id)
  assert.deepEqual(await likesTo(writer), [])
  await like(cho, id)
  dataOf(await writer.post('/notifications/read-all'))
  await unlike(cho, id)
  await like(cho, id)
  assert.equal((await likesTo(writer)).length, 1)
})

test('does not tell a writer who stopped following about likes under content for followers', async () => {
  const [writer, fan] = [await app.user(), await app.user()]
  for (const user of [writer, fan]) dataOf(await user.put(`/creators/${ana.handle}/follow`))
  const content = await makeContent(ana, { visibility: 'followers', title: 'Private dawn' })
  const { id } = await makeComment(writer, content.id)
  dataOf(await writer.delete(`/creators/${ana.handle}/follow`))
  assert.deepEqual(await like(fan, id), { is_liked: true, like_count: 1 })
  assert.deepEqual(await likesTo(writer), [])
  await unlike(fan, id)
  dataOf(await writer.put(`/creators/${ana.handle}/follow`))
  await like(fan, id)
  assert.equal((await likesTo(writer)).length, 1)
})

test('returns 404 for comments that are deleted, hidden, or on content that is not public', async () => {
  const [content, archived] = [await makeContent(ana), await makeContent(ana)]
  const [gone, hidden] = [await makeComment(ben, content.id), await makeComment(ben, content.id)]
  for (const { id } of [gone, hidden]) {
    await makeComment(cho, content.id, { parent_id: id })
    await like(cho, id)
  }
  dataOf(await ben.delete(`/comments/${gone.id}`), 204)
  dataOf(await ana.put(`/comments/${hidden.id}/hidden`))
  const unreachable = await makeComment(ben, archived.id)
  dataOf(await ana.delete(`/contents/${archived.id}`), 204)
  for (const id of [gone.id, hidden.id, unreachable.id, 'cmt_01kazr0p5vfq1s9m7c2xw4hd3t', 'x']) {
    for (const method of ['put', 'delete'] as const) {
      assertError(await cho[method](`/comments/${id}/like`), 404, 'COMMENT_NOT_FOUND')
    }
  }
  dataOf(await ana.delete(`/comments/${hidden.id}/hidden`))
  assert.deepEqual(await unlike(cho, hidden.id), { is_liked: false, like_count: 0 })
})

test('refuses a new like across a block, and still removes one', async () => {
  const [writer, fan, content] = [await app.user(), await app.user(), await makeContent(ana)]
  const [first, second] = [
    await makeComment(writer, content.id),
    await makeComment(writer, content.id),
  ]
  await like(fan, first.id)
  dataOf(await writer.put(`/creators/${fan.handle}/block`))
  for (const [user, comment] of [
    [fan, second],
    [writer, await makeComment(fan, content.id)],
  ] as const) {
    assertError(await user.put(`/comments/${comment.id}/like`), 403, 'NOT_ALLOWED_HERE')
  }
  assert.equal((await like(fan, first.id)).like_count, 1)
  assert.equal((await unlike(fan, first.id)).like_count, 0)
})

test('sorts by likes, then the oldest first, on every page and in every scope', async () => {
  const content = await makeContent(ana)
  const made = []
  for (let i = 0; i < 7; i++) made.push((await makeComment(ben, content.id)).id)
  const [top] = made as [string]
  const replies = []
  for (let i = 0; i < 3; i++)
    replies.push((await makeComment(cho, content.id, { parent_id: top })).id)
  for (const user of [ana, ben, cho]) await like(user, made[4])
  for (const user of [ana, ben]) await like(user, replies[1])
  for (const id of [made[5], made[2]]) await like(ana, id)
  const rest = [made[0], made[1], made[3], made[6]]
  const [firstReply, , lastReply] = replies
  const tops = [made[4], made[2], made[5], ...rest]
  const ordered = [made[4], replies[1], made[2], made[5], ...rest, firstReply, lastReply]
  assert.deepEqual(idsOf((await pageOf(content.id)).comments), ordered)
  assert.deepEqual(idsOf((await pageOf(content.id, '&parent_id=none')).comments), tops)
  assert.deepEqual(idsOf((await pageOf(content.id, `&parent_id=${top}`)).comments), [
    replies[1],
    firstReply,
    lastReply,
  ])
  for (const perPage of [1, 3, 4]) {
    const seen: string[] = []
    for (let page = 1; seen.length < ordered.length; page++) {
      seen.push(...idsOf((await pageOf(content.id, `&per_page=${perPage}&page=${page}`)).comments))
    }
    assert.deepEqual(seen, ordered)
  }
  const oldest = dataOf(await app.anon.get(`/contents/${content.id}/comments`)).comments
  assert.deepEqual(idsOf(oldest), [...made, ...replies])
})

test('keeps the count equal to the likes when users toggle in parallel', async () => {
  const content = await makeContent(ana)
  const { id } = await makeComment(ben, content.id)
  await times(12, (index) =>
    index % 3 === 2
      ? cho.delete(`/comments/${id}/like`)
      : [ana, ben, cho][index % 3]!.put(`/comments/${id}/like`),
  )
  const [comment] = (await pageOf(content.id)).comments
  assert.equal(comment.like_count, await app.count(`comment_likes where comment_id = '${id}'`))
  assert.deepEqual(await app.drifted(), [])
})
