/** Checks the results of random actions, sequential and concurrent. `npm run fuzz -- --model N` runs N sequences. */
import { test } from 'node:test'
import fc from 'fast-check'
import { anyone, PASSWORD } from './actors.ts'
import { startApp } from './app.ts'
import { dataOf, makeContent } from './make.ts'
import type { World } from './model.ts'
import { parallelProperty } from './parallel-model.ts'
import { until } from './receiver.ts'
import { serialProperty } from './staff-model.ts'

const app = await startApp()
const moderator = await app.admin()

const UNFINISHED = `jobs where kind in ('sweep', 'erasure')`

async function makeWorld(): Promise<World> {
  const users = [await app.user(), await app.user(), await app.user()]
  const [creator] = users
  const contents = [(await makeContent(creator!)).id, (await makeContent(creator!)).id]
  return {
    users,
    contents,
    moderator,
    async signIn({ handle }) {
      const login = { identifier: handle, password: PASSWORD }
      const { tokens } = dataOf(await app.anon.post('/auth/login', login))
      return anyone(app.url, { authorization: `Bearer ${tokens.access_token}` })
    },
    waitForJobs: () =>
      until(async () => (await app.count(UNFINISHED)) === 0, 'the end of sweeps and erasures'),
  }
}

test('matches the model when actions run in sequence', async () => {
  await fc.assert(serialProperty(makeWorld, 30), { numRuns: 50 })
})

test('matches some sequential order when toggles run concurrently', async () => {
  await fc.assert(parallelProperty(makeWorld), { numRuns: 50 })
})
