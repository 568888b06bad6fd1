import assert from 'node:assert/strict'
import fc from 'fast-check'
import { ok, type World } from './model.ts'

interface Toggle {
  by: number
  content: number
}

/**
 * Returns a property: concurrent toggles of likes behave as if they ran one after another. Half of a user's toggles of
 * a content item (rounded up) return `is_liked: true`. The final count of an item equals the number of users who
 * toggled it an odd number of times. Every count is between 0 and the number of users.
 */
export function parallelProperty(makeWorld: () => Promise<World>) {
  const toggle = fc.record<Toggle>({ by: fc.nat({ max: 2 }), content: fc.nat({ max: 1 }) })
  const list = fc.array(toggle, { minLength: 2, maxLength: 24 })
  return fc.asyncProperty(list, async (toggles) => {
    const world = await makeWorld()
    const answers = await Promise.all(
      toggles.map(({ by, content }) =>
        ok(world.users[by]!.post(`/contents/${world.contents[content]}/like`)),
      ),
    )
    for (const { like_count } of answers) assert.ok(like_count >= 0 && like_count <= 3)
    for (const index of [0, 1]) {
      let due = 0
      for (const by of [0, 1, 2]) {
        const own = answers.filter((_, i) => toggles[i]!.by === by && toggles[i]!.content === index)
        const on = own.filter(({ is_liked }) => is_liked).length
        assert.equal(on, Math.ceil(own.length / 2))
        due += own.length % 2
      }
      const { content } = await ok(world.users[0]!.get(`/contents/${world.contents[index]}`))
      assert.equal(content.like_count, due)
    }
  })
}
