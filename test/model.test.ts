/** Whatever people do, the answers are those of a model of maps; longer by `npm run fuzz -- --model N`. */
import { test } from 'node:test'
import fc from 'fast-check'
import { parallelProperty, serialProperty, type World } from '../fuzz/model.ts'
import { startApp } from './app.ts'
import { makeContent } from './make.ts'

const app = await startApp()

async function makeWorld(): Promise<World> {
  const people = [await app.user(), await app.user(), await app.user()]
  const [creator] = people
  const works = [(await makeContent(creator!)).id, (await makeContent(creator!)).id]
  return { people, works }
}

test('acts one after the other come to what they mean', async () => {
  await fc.assert(serialProperty(makeWorld, 30), { numRuns: 50 })
})

test('toggles at once come to what some order of them means', async () => {
  await fc.assert(parallelProperty(makeWorld), { numRuns: 50 })
})
