import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, startApp } from '../../test/app.ts'
import { assertError, dataOf, makeContent, times, valuesOf } from '../../test/make.ts'
import { promote } from './rules.ts'

const app = await startApp()
const sibling = await app.sibling()
// A user whose id sorts before the ids of the administrators, for the test of deadlocks.
const elder = await app.user()
// The only two administrators. Without locking, a round of the test could leave no administrator.
const pair = [await app.admin(), await app.admin()] as const

const pathOf = ({ id }: Actor) => `/admin/users/${id}`
const atBoth = (i: number) => (i % 2 ? app.url : sibling.url)

async function activeAdmins(): Promise<string[]> {
  const rows = await app.sql("select id from users where role = 'admin' and is_suspended = 0")
  return rows.map(({ id }) => String(id))
}

const ROLES = ['user', 'admin']

test('when two administrators demote each other simultaneously, one succeeds and stays administrator', async () => {
  for (let round = 0; round < 20; round++) {
    const [a, b] = pair
    const answers = await Promise.all([
      a.at(app.url).patch(pathOf(b), { role: 'user' }),
      b.at(atBoth(round)).patch(pathOf(a), { role: 'user' }),
    ])
    const winner = answers[0].status === 200 ? a : b
    const [lost] = answers.filter(({ status }) => status !== 200)
    assert.ok(lost, 'one of the two fails')
    assertError(lost, 403, 'FORBIDDEN')
    assert.deepEqual(await activeAdmins(), [winner.id])
    await promote(app.db, (winner === a ? b : a).handle, app.clock.now())
  }
})

test('when two administrators suspend each other simultaneously, one succeeds and stays unsuspended', async () => {
  const [a, b] = [await app.user(), await app.user()]
  for (const { handle } of [a, b]) await promote(app.db, handle, app.clock.now())
  const answers = await Promise.all([
    a.at(app.url).patch(pathOf(b), { is_suspended: true }),
    b.at(sibling.url).patch(pathOf(a), { is_suspended: true }),
  ])
  const [lost, ...others] = answers.filter(({ status }) => status !== 200)
  assert.ok(lost && others.length === 0, 'one of the two fails')
  assertError(lost, 401, 'UNAUTHORIZED')
  const left = (await activeAdmins()).filter((id) => id === a.id || id === b.id)
  assert.equal(left.length, 1)
  for (const { id } of [a, b]) {
    const restored = { role: 'user', is_suspended: false }
    dataOf(await pair[0].patch(`/admin/users/${id}`, restored))
  }
})

test('concurrent patches of different fields are all applied', async () => {
  const target = await app.user()
  const answers = await times(30, (i) =>
    pair[i % 2 ? 0 : 1]
      .at(atBoth(i >> 1))
      .patch(pathOf(target), i % 3 ? { role: 'admin' } : { is_suspended: true, reason: 'at once' }),
  )
  for (const answer of answers) dataOf(answer)
  const { user } = dataOf(await pair[0].get(pathOf(target)))
  assert.deepEqual(
    [user.role, user.is_suspended, user.suspension_reason],
    ['admin', true, 'at once'],
  )
  const { audit } = dataOf(await pair[0].get(`${pathOf(target)}/audit`))
  assert.deepEqual(valuesOf(audit, 'action').toSorted(), ['role_changed', 'suspended'])
  assert.deepEqual(audit[0].before, audit[1].after)
  dataOf(await pair[0].patch(pathOf(target), { role: 'user', is_suspended: false }))
})

test('concurrent changes of a user older than every administrator cause no deadlock', async () => {
  const admins = [await app.admin(), await app.admin()] as const
  const younger = await app.user()
  const secondsFor = async (user: Actor) => {
    const started = performance.now()
    const answers = await times(50, (i) =>
      admins[i % 2 ? 0 : 1].at(atBoth(i >> 1)).patch(pathOf(user), { role: ROLES[i % 2] }),
    )
    for (const answer of answers) dataOf(answer)
    return (performance.now() - started) / 1000
  }
  const usual = await secondsFor(younger)
  const seconds = await secondsFor(elder)
  // PostgreSQL detects a deadlock only after a second. A longer total time therefore means that deadlocks
  // occurred.
  assert.ok(
    seconds < 3 + 2 * usual,
    `${seconds} s, against ${usual} s for a user that cannot cause a deadlock`,
  )
  for (const { id } of [elder, younger, ...admins]) {
    dataOf(await pair[0].patch(`/admin/users/${id}`, { role: 'user' }))
  }
})

test('a suspension that races with publishing and likes hides every content and keeps counts correct', async () => {
  for (let round = 0; round < 5; round++) {
    const creator = await app.user()
    const contents = await times(3, () => makeContent(creator))
    const answers = await times(24, (i) => {
      const { id } = contents[i % 3] as { id: string }
      const actor = pair[i % 2 ? 0 : 1].at(atBoth(i))
      if (i === 8) return actor.patch(pathOf(creator), { is_suspended: true })
      if (i % 4 === 0) {
        const content = { category: 'hype', type: 'image', title: 'In between' }
        return creator.at(atBoth(i)).post('/contents', content)
      }
      return actor.post(`/contents/${id}/like`)
    })
    for (const { status, text } of answers) assert.ok([200, 201, 401, 404].includes(status), text)
    const where = `creator_id = '${creator.id}'`
    assert.equal(await app.count(`content_stats where is_public = 1 and ${where}`), 0)
    dataOf(await pair[0].patch(pathOf(creator), { is_suspended: false }))
    const { creator: profile } = dataOf(await app.anon.get(`/creators/${creator.handle}`))
    assert.equal(
      profile.content_count,
      await app.count(`contents where status = 'published' and ${where}`),
    )
    assert.equal(
      await app.count(`content_stats where ${where} and like_count <> (
        select count(*) from likes where likes.content_id = content_stats.content_id
      )`),
      0,
    )
  }
})
