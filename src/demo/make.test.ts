import assert from 'node:assert/strict'
import { test } from 'node:test'
import { consoleActs } from './acts/console.ts'
import { contentActs } from './acts/contents.ts'
import { userActs } from './acts/users.ts'
import { Cast } from './cast.ts'
import { WoundClock } from './clock.ts'
import { makeWorld } from './make.ts'
import { seeded } from './random.ts'
import type { Stock } from './stock.ts'
import { DAY, MINUTE } from './times.ts'
import type { Entity } from './world.ts'

const picture = (isUpright: boolean) => ({ file: new Blob([]), isUpright })
const STOCK: Stock = {
  pictures: [false, false, true, true].map(picture),
  faces: [new Blob([])],
  tunes: [new Blob([])],
  videos: [],
  games: [],
}

test('creates everything before its first use, at any time of day', () => {
  for (let minute = 0; minute < DAY / MINUTE; minute += 5) {
    const now = Date.UTC(2026, 10, 26) + minute * MINUTE
    const world = makeWorld({ users: 8, contents: 20 }, STOCK, now)
    assert.ok(world.conversations.length > 0)
    const cast = new Cast(fetch, new WoundClock(now))
    const acts = [
      ...userActs(cast, seeded(1), world),
      ...contentActs(cast, world),
      ...consoleActs(cast, world, ''),
    ].sort((a, b) => a.time - b.time)
    const made = new Set<Entity>()
    for (const { needs, makes, run } of acts) {
      for (const entity of needs) assert.ok(made.has(entity), `minute ${minute}: ${run.toString()}`)
      if (makes) made.add(makes)
    }
  }
})
