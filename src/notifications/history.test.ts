import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Actor, startApp } from '../../test/app.ts'
import { dataOf, makeContent, times } from '../../test/make.ts'
import { notify, withdraw } from './notify.ts'

type Step =
  | { act: 'like' | 'follow' | 'comment'; who: number; dialect: boolean }
  | { act: 'read' | 'read-up-to'; place: number }
  | { act: 'read-all' }

const relating = fc.record({
  act: fc.constantFrom('like', 'follow', 'comment'),
  who: fc.nat({ max: 1 }),
  dialect: fc.boolean(),
})
const steps = fc.array(
  fc.oneof<fc.MaybeWeightedArbitrary<Step>[]>(
    { arbitrary: relating, weight: 6 },
    fc.record({ act: fc.constantFrom('read', 'read-up-to'), place: fc.nat({ max: 4 }) }),
    fc.record({ act: fc.constant('read-all') }),
  ),
  { minLength: 10, maxLength: 40 },
)

const app = await startApp()
const users = await times(2, () => app.user())

interface Expected {
  type: string
  actorId: string
  isRead: boolean
}

class History {
  /** Expected notifications, newest first. */
  expected: Expected[] = []
  readonly #isOn = new Set<string>()
  readonly #reader: Actor
  readonly #contentId: string

  constructor(reader: Actor, contentId: string) {
    this.#reader = reader
    this.#contentId = contentId
  }

  async take(step: Step): Promise<void> {
    if ('who' in step) return this.#relate(step.act, users[step.who] as Actor, step.dialect)
    const { notifications } = dataOf(await this.#reader.get('/notifications?per_page=100'))
    if (step.act === 'read-all') return this.#readAll(undefined, 0)
    const place = step.place % Math.max(1, notifications.length)
    const id: string | undefined = notifications[place]?.id
    if (id === undefined) return
    if (step.act === 'read-up-to') return this.#readAll(id, place)
    dataOf(await this.#reader.post(`/notifications/${id}/read`))
    const read = this.expected[place]
    if (read) read.isRead = true
  }

  async #relate(
    type: 'like' | 'follow' | 'comment',
    actor: Actor,
    dialect: boolean,
  ): Promise<void> {
    if (type === 'comment') await this.#comment(actor, dialect)
    else {
      const path =
        type === 'like'
          ? `/contents/${this.#contentId}/like`
          : `/creators/${this.#reader.handle}/follow`
      dataOf(await actor.request(dialect ? 'PUT' : 'DELETE', path))
    }
    const key = `${type} ${actor.id}`
    if (this.#isOn.has(key) === dialect) return
    if (dialect) this.#isOn.add(key)
    else this.#isOn.delete(key)
    const known = this.expected.find((entry) => entry.type === type && entry.actorId === actor.id)
    if (dialect && !known) this.expected.unshift({ type, actorId: actor.id, isRead: false })
    if (!dialect && known && !known.isRead) this.expected.splice(this.expected.indexOf(known), 1)
  }

  #comment(actor: Actor, dialect: boolean): Promise<void> {
    const notification = {
      to: this.#reader.id,
      type: 'comment',
      kind: 'comment.content',
      actorId: actor.id,
      subjectId: this.#contentId,
      link: null,
    } as const
    return app.db.transaction((tx) =>
      dialect ? notify(tx, [notification], app.clock.now()) : withdraw(tx, notification),
    )
  }

  async #readAll(up_to: string | undefined, place: number): Promise<void> {
    const marked = this.expected.slice(place).filter(({ isRead }) => !isRead)
    const { updated } = dataOf(await this.#reader.post('/notifications/read-all', { up_to }))
    assert.equal(updated, marked.length)
    for (const entry of marked) entry.isRead = true
  }

  async check(): Promise<void> {
    const list = dataOf(await this.#reader.get('/notifications?per_page=100'))
    const badge = dataOf(await this.#reader.get('/notifications/unread-count'))
    const seen: Expected[] = list.notifications.map(
      (entry: { type: string; actor: { id: string }; is_read: boolean }) => ({
        type: entry.type,
        actorId: entry.actor.id,
        isRead: entry.is_read,
      }),
    )
    assert.deepEqual(seen, this.expected)
    const unread = seen.filter(({ isRead }) => !isRead).length
    assert.deepEqual(
      [list.unread_count, badge.unread_count, list.pagination.total],
      [unread, unread, seen.length],
    )
  }
}

test('matches the model in list, totals and unread count after random histories', () =>
  fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const reader = await app.user()
      const history = new History(reader, (await makeContent(reader)).id)
      for (const step of taken) {
        await history.take(step)
        await history.check()
      }
    }),
    { numRuns: 10 },
  ))
