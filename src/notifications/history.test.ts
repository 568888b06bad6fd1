import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { type Actor, startApp, type TestApp } from '../../test/app.ts'
import { dataOf, makeContent, times } from '../../test/make.ts'
import { notify, withdraw } from './rules.ts'

interface Entry {
  subject: string
  actorId: string
  read: boolean
}

/** What a reader of the contract expects of one person's notifications. */
interface World {
  reader: Actor
  people: Actor[]
  workId: string
  /** Newest first. */
  entries: Entry[]
  /** Likes and follows that are set, by actor and subject. */
  relations: Set<string>
}

const who = fc.nat({ max: 2 })
const step = fc.oneof(
  fc.record({ act: fc.constantFrom('like', 'follow'), who, on: fc.boolean() }),
  fc.record({ act: fc.constant('comment'), who, subject: fc.nat({ max: 3 }), on: fc.boolean() }),
  fc.record({ act: fc.constantFrom('read', 'read-up-to'), place: fc.nat({ max: 9 }) }),
  fc.record({ act: fc.constant('read-all') }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

let app: TestApp
before(async () => {
  app = await startApp()
})

test('after any history the list, its numbers and the badge agree with what happened', async () => {
  const people = await times(3, () => app.user())
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const reader = await app.user()
      const workId: string = (await makeContent(reader)).id
      const world: World = { reader, people, workId, entries: [], relations: new Set() }
      for (const each of steps) {
        await take(world, each)
        await compare(world)
      }
    }),
    { numRuns: 8 },
  )
})

async function take(world: World, each: Step): Promise<void> {
  switch (each.act) {
    case 'like':
    case 'follow': {
      const { reader, workId } = world
      const { who: index, on } = each as { who: number; on: boolean }
      const actor = world.people[index] as Actor
      const path =
        each.act === 'like' ? `/contents/${workId}/like` : `/creators/${reader.handle}/follow`
      dataOf(await (on ? actor.put(path) : actor.delete(path)))
      const key = `${each.act} ${actor.id}`
      if (world.relations.has(key) === on) return
      if (on) world.relations.add(key)
      else world.relations.delete(key)
      return expect(world, actor.id, each.act, on)
    }
  }
}
