import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, startApp } from '../../test/app.ts'
import { dataOf, makeComment, makeContent } from '../../test/make.ts'

const app = await startApp()
const ben = await app.user()

const notesOf = async (user: Actor) =>
  dataOf(await user.get('/notifications')).notifications.map(
    (n: { type: string; actor: { id: string }; link: string }) => [n.type, n.actor.id, n.link],
  )
const linkOf = (comment: { id: string; content_id: string }) =>
  `/contents/${comment.content_id}#${comment.id}`

test('notifies the author of the content and the author of the parent once each', async () => {
  const [maker, friend] = [await app.user(), await app.user()]
  const content = await makeContent(maker)
  const theirs = await makeComment(friend, content.id)
  const answer = await makeComment(ben, content.id, { parent_id: theirs.id })
  assert.deepEqual(await notesOf(friend), [['comment', ben.id, linkOf(answer)]])
  assert.deepEqual(await notesOf(maker), [
    ['comment', ben.id, linkOf(answer)],
    ['comment', friend.id, linkOf(theirs)],
  ])
})

test('notifies a user once who is author of both, even when mentioned', async () => {
  const maker = await app.user()
  const content = await makeContent(maker)
  const own = await makeComment(maker, content.id)
  const body = `thanks @${maker.handle}`
  const answer = await makeComment(ben, content.id, { parent_id: own.id, body })
  assert.deepEqual(await notesOf(maker), [['comment', ben.id, linkOf(answer)]])
})

test('notifies mentioned users, and after an edit only newly mentioned ones', async () => {
  const [maker, first, second] = [await app.user(), await app.user(), await app.user()]
  const content = await makeContent(maker)
  const comment = await makeComment(ben, content.id, { body: `see @${first.handle}` })
  const note = ['mention', ben.id, linkOf(comment)]
  assert.deepEqual([await notesOf(first), await notesOf(second)], [[note], []])
  const body = `see @${first.handle}, @${second.handle} and @${maker.handle}`
  dataOf(await ben.patch(`/comments/${comment.id}`, { body }))
  assert.deepEqual([await notesOf(first), await notesOf(second)], [[note], [note]])
  assert.deepEqual(await notesOf(maker), [['comment', ben.id, linkOf(comment)]])
})

test("sends no notification for a user's own comment", async () => {
  const maker = await app.user()
  const content = await makeContent(maker)
  const own = await makeComment(maker, content.id, { body: `@${maker.handle}` })
  await makeComment(maker, content.id, { parent_id: own.id })
  assert.deepEqual(await notesOf(maker), [])
})
