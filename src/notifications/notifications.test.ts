import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, startApp } from '../../test/app.ts'
import {
  assertError,
  assertInvalid,
  dataOf,
  idsOf,
  makeContent,
  times,
  valuesOf,
} from '../../test/make.ts'
import { type NewNotification, notify } from './notify.ts'

const app = await startApp()

const listOf = async (reader: Actor) =>
  dataOf(await reader.get('/notifications?per_page=100')).notifications
const unreadOf = async (reader: Actor): Promise<number> =>
  dataOf(await reader.get('/notifications/unread-count')).unread_count
const readAll = async (reader: Actor, up_to?: string): Promise<number> =>
  dataOf(await reader.post('/notifications/read-all', { up_to })).updated

let made = 0

/** Returns `n` notifications about comments that do not exist. */
function notificationsOf(to: Actor, from: Actor, n: number): NewNotification[] {
  return Array.from({ length: n }, () => ({
    to: to.id,
    type: 'comment',
    kind: 'comment.content',
    actorId: from.id,
    subjectId: `cmt_${++made}`,
    params: { title: 'Night river' },
    link: '/contents/cnt_1',
  }))
}

function notifyAll(notifications: NewNotification[]): Promise<void> {
  return app.db.transaction((tx) => notify(tx, notifications, app.clock.now()))
}

test('returns none without a valid session', async () => {
  const empty = {
    page: 1,
    per_page: 20,
    total: 0,
    total_pages: 0,
    has_next: false,
    has_prev: false,
  }
  for (const token of ['', 'Bearer junk']) {
    const headers = { authorization: token }
    const list = await app.anon.get('/notifications', { headers })
    assert.deepEqual(dataOf(list), { notifications: [], unread_count: 0, pagination: empty })
    const count = await app.anon.get('/notifications/unread-count', { headers })
    assert.deepEqual(dataOf(count), { unread_count: 0 })
    for (const answer of [list, count]) {
      assert.equal(answer.headers.get('cache-control'), 'private, no-store')
    }
  }
  assertError(await app.anon.post('/notifications/read-all'), 401, 'UNAUTHORIZED')
  assertError(await app.anon.post('/notifications/ntf_1/read'), 401, 'UNAUTHORIZED')
})

test("names the user and the content of a like, in the reader's language and with the current display name", async () => {
  const author = await app.user()
  const fan = await app.user({ display_name: 'Haneul' })
  const content = await makeContent(author, { title: 'Night {actor} <river>' })
  dataOf(await fan.post(`/contents/${content.id}/like`))
  const get = (language: string) =>
    author.get('/notifications', { headers: { 'accept-language': language } })
  const list = dataOf(await get('en'))
  assert.equal(list.unread_count, 1)
  const [{ id, created_at, ...rest }] = list.notifications
  assert.match(id, /^ntf_/)
  assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 10_000)
  assert.deepEqual(rest, {
    type: 'like',
    actor: {
      id: fan.id,
      handle: fan.handle,
      display_name: 'Haneul',
      avatar_url: null,
      avatar_sizes: [],
    },
    message: 'Haneul liked “Night {actor} <river>”.',
    link: `/contents/${content.id}`,
    is_read: false,
  })
  await app.sql(`update users set display_name = '바다' where id = '${fan.id}'`)
  const [again] = dataOf(await get('ko')).notifications
  assert.equal(again.message, '바다님이 회원님의 작품 “Night {actor} <river>”을(를) 좋아해요.')
  assert.equal(again.actor.display_name, '바다')
})

test('notifies the creator of a follow and links to the follower', async () => {
  const [creator, fan] = [await app.user(), await app.user()]
  dataOf(await fan.post(`/creators/${creator.handle}/follow`))
  const [notification, ...others] = await listOf(creator)
  assert.equal(others.length, 0)
  assert.equal(notification.type, 'follow')
  assert.equal(notification.actor.id, fan.id)
  assert.equal(notification.link, `/creators/${fan.handle}`)
  assert.deepEqual(await listOf(fan), [])
})

test("sends none for bookmarks and for a user's own actions", async () => {
  const [author, fan] = [await app.user(), await app.user()]
  const content = await makeContent(author)
  dataOf(await fan.post(`/contents/${content.id}/bookmark`))
  dataOf(await author.post(`/contents/${content.id}/like`))
  dataOf(await author.post(`/contents/${content.id}/like`))
  await notifyAll(notificationsOf(author, author, 1))
  assert.deepEqual(await listOf(author), [])
  assert.deepEqual(await listOf(fan), [])
  assert.equal(await unreadOf(author), 0)
})

test('has no actor when the platform sends it', async () => {
  const reader = await app.user()
  const notification = {
    type: 'system',
    kind: 'system.role_admin',
    actorId: null,
    link: null,
  } as const
  await notifyAll([{ ...notification, to: reader.id, subjectId: 'aud_1' }])
  await notifyAll([{ ...notification, to: reader.id, subjectId: 'aud_2' }])
  const list = await listOf(reader)
  assert.equal(list.length, 2)
  assert.deepEqual([list[0].type, list[0].actor, list[0].link], ['system', null, null])
  assert.equal(list[0].message, '이제 관리자예요.')
})

test('sends one when an action is reported twice under the same type and subject', async () => {
  const [author, fan] = [await app.user(), await app.user()]
  const [first] = notificationsOf(author, fan, 1) as [NewNotification]
  await notifyAll([first, { ...first, kind: 'comment.reply' }, { ...first, type: 'mention' }])
  const list = await listOf(author)
  assert.deepEqual(valuesOf(list, 'type'), ['mention', 'comment'])
  assert.match(list[1].message, /댓글을 남겼어요/)
  assert.equal(await unreadOf(author), 2)
})

test('sorts the newest first, even after one from a server whose clock is ahead', async () => {
  const [reader, actor] = [await app.user(), await app.user()]
  await notifyAll(notificationsOf(reader, actor, 1))
  const [{ id }] = await listOf(reader)
  const ahead = id.replace('ntf_0', 'ntf_1')
  await app.sql(`update notifications set id = '${ahead}' where id = '${id}'`)
  await app.sql(
    `update notification_counts set last_notification_id = '${ahead}' where user_id = '${reader.id}'`,
  )
  assert.equal(await readAll(reader), 1)
  await notifyAll(notificationsOf(reader, actor, 2))
  const list = await listOf(reader)
  assert.equal(list[2].id, ahead)
  assert.deepEqual(valuesOf(list, 'is_read'), [false, false, true])
  assert.equal(await unreadOf(reader), 2)
})

test('returns every notification on one page, and the correct total past the end', async () => {
  const [reader, actor] = [await app.user(), await app.user()]
  await notifyAll(notificationsOf(reader, actor, 5))
  const seen: string[] = []
  for (const page of [1, 2, 3]) {
    const data = dataOf(await reader.get(`/notifications?per_page=2&page=${page}`))
    assert.deepEqual([data.unread_count, data.pagination.total], [5, 5])
    assert.equal(data.pagination.has_next, page < 3)
    seen.push(...idsOf(data.notifications))
  }
  assert.equal(new Set(seen).size, 5)
  for (const page of ['4', '999999999999']) {
    const data = dataOf(await reader.get(`/notifications?per_page=100&page=${page}`))
    assert.deepEqual(data.notifications, [])
    assert.deepEqual([data.unread_count, data.pagination.total], [5, 5])
  }
  assert.equal(await unreadOf(reader), 5, 'reading the list marks none as read')
})

test('accepts read-all without a body, with an empty one, or with up_to', async () => {
  const [reader, actor] = [await app.user(), await app.user()]
  await notifyAll([...notificationsOf(reader, actor, 1), ...notificationsOf(actor, reader, 1)])
  const headers = { 'content-type': 'application/json' }
  assert.equal(dataOf(await reader.post('/notifications/read-all')).updated, 1)
  assert.equal(dataOf(await reader.post('/notifications/read-all', {})).updated, 0)
  const empty = await reader.post('/notifications/read-all', undefined, { raw: '', headers })
  assert.equal(dataOf(empty).updated, 0)
  const [own, foreign] = [(await listOf(reader))[0].id, (await listOf(actor))[0].id]
  await notifyAll(notificationsOf(reader, actor, 1))
  for (const up_to of [5, null, [], '', 'zzz', reader.id, own.slice(0, -4) + '0000', foreign]) {
    assertInvalid(await reader.post('/notifications/read-all', { up_to }), 'up_to')
  }
  assert.equal(await unreadOf(reader), 1)
  assert.equal(await unreadOf(actor), 1)
})

test('counts each notification once under parallel read-all at two servers', async () => {
  const [reader, actor] = [await app.user(), await app.user()]
  await notifyAll(notificationsOf(reader, actor, 20))
  const list = await listOf(reader)
  const sibling = await app.sibling()
  const elsewhere = reader.at(sibling.url)
  const answers = await times(50, (i) => {
    const { id } = list[(i * 7) % 20]
    const up_to = i % 4 < 2 ? id : undefined
    return (i % 2 === 0 ? reader : elsewhere).post('/notifications/read-all', { up_to })
  })
  const updated = answers.reduce((sum, answer) => sum + dataOf(answer).updated, 0)
  assert.equal(updated, 20)
  assert.equal(await unreadOf(reader), 0)
  await sibling.close()
})

test('counts a notification that arrives during read-all or leaves it unread', async () => {
  const [reader, actor] = [await app.user(), await app.user()]
  const answers = await times(60, async (i) => {
    if (i % 3 === 0) return readAll(reader)
    await notifyAll(notificationsOf(reader, actor, 1))
    return 0
  })
  const updated = answers.reduce((sum, n) => sum + n, 0)
  const list = dataOf(await reader.get('/notifications?per_page=100'))
  const unread = list.notifications.filter(({ is_read }: { is_read: boolean }) => !is_read)
  assert.equal(list.notifications.length, 40)
  assert.equal(unread.length, 40 - updated)
  assert.equal(list.unread_count, unread.length)
  assert.equal(await unreadOf(reader), unread.length)
})
