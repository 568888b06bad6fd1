/** Compares random actions with a model, in sequence and concurrently. `npm run fuzz -- --model N` takes longer. */
import { test } from 'node:test'
import fc from 'fast-check'
import { serialProperty, type World } from './model.ts'
import { parallelProperty } from './parallel-model.ts'
import { startApp } from './app.ts'
import { makeContent } from './make.ts'

const app = await startApp()
const moderator = await app.admin()

async function makeWorld(): Promise<World> {
  const users = [await app.user(), await app.user(), await app.user()]
  const [creator] = users
  const contents = [(await makeContent(creator!)).id, (await makeContent(creator!)).id]
  return { users, contents, moderator }
}

test('matches the model when actions run in sequence', async () => {
  await fc.assert(serialProperty(makeWorld, 30), { numRuns: 50 })
})

test('matches some sequential order when toggles run concurrently', async () => {
  await fc.assert(parallelProperty(makeWorld), { numRuns: 50 })
})
