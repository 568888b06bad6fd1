/**
 * Sends concurrent actions of users, moderators and an admin, such as publishing, likes, messages, blocks, erasures,
 * and decisions with their undo. Then undoes all decisions and recounts everything.
 */
import type { Engine } from '../../src/db/statement.ts'
import { drawing } from '../../test/uploads.ts'
import { type Act, ACTS, OVERLOADED, World } from './race-acts.ts'
import { recount, until } from '../harness/harness.ts'
import { startTarget, type Target } from './target.ts'

const USERS = 12
const SENDERS = 16
const WAIT_MS = 120_000

const NAMES = Object.keys(ACTS)
const TOTAL = Object.values(ACTS).reduce((sum, [weight]) => sum + weight, 0)

function nextAct(random: () => number): string {
  let left = random() * TOTAL
  return NAMES.find((name) => (left -= (ACTS[name] as [number, Act])[0]) < 0) ?? 'like'
}

/** Runs random actions, and prints how often each was sent and succeeded. Returns the number of problems. */
export async function runRaces(engine: Engine, acts: number, seed: number): Promise<number> {
  const target = await startTarget(engine)
  const problems: string[] = []
  const done = new Map(NAMES.map((name) => [name, { sent: 0, succeeded: 0 }]))
  let rejected = 0
  const start = performance.now()
  try {
    const world = await makeWorld(target, seed)
    let sent = 0
    const run = async () => {
      while (sent < acts && problems.length < 10 && target.isAlive) {
        sent++
        const name = nextAct(world.random)
        const user = world.pick(world.users)
        const { status, text } = await (ACTS[name] as [number, Act])[1](world, user)
        const tally = done.get(name) as { sent: number; succeeded: number }
        tally.sent++
        if (status < 300) tally.succeeded++
        if (status === OVERLOADED) rejected++
        else if (status >= 500) problems.push(`${name}: ${status} ${text}`)
        if (status === 401) await world.revive(user)
        if (sent % 10_000 === 0) console.error(`${sent} acts`)
      }
    }
    await Promise.all(Array.from({ length: SENDERS }, run))
    await waitForJobs(target)
    problems.push(...(await recount(target.db)).problems)
    for (const id of world.decisions) {
      const { status } = await world.admin.post(`/admin/decisions/${id}/undo`, {})
      if (status !== 200 && status !== 409) problems.push(`undo of ${id}: ${status}`)
    }
    await waitForJobs(target)
    problems.push(...(await recount(target.db)).problems)
    for (const left of ['hidden_subjects', 'users where is_suspended = 1 and erased_at is null']) {
      const count = await target.number(`select count(*) from ${left}`)
      if (count !== 0) problems.push(`after all undos: ${count} ${left}`)
    }
    const errors = target.log.split('\n').filter((line) => line && !line.includes('request: 503'))
    problems.push(...errors.slice(0, 10))
  } finally {
    await target.close()
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  for (const problem of problems) console.log(problem)
  const figures = [...done].map(([name, { sent, succeeded }]) => `${name} ${succeeded}/${sent}`)
  console.log(figures.join(', '))
  console.log(
    `${engine}: ${acts} acts in ${seconds} s, ${rejected} rejected by the overloaded server, ${problems.length} problems (seed ${seed})`,
  )
  return problems.length
}

async function makeWorld(target: Target, seed: number): Promise<World> {
  const pictures = await Promise.all(
    [60, 61, 62, 63].map((width) => drawing(width).png().toBuffer()),
  )
  const staff = [await target.user('admin', 'boss'), await target.user('user', 'helper')] as const
  const permissions = { permissions: ['moderate'] }
  await staff[0].put(`/admin/users/${staff[1].id}/permissions`, permissions)
  const world = new World(target, seed, [...staff], pictures)
  for (let index = 0; index < USERS; index++) await world.addUser()
  return world
}

/** Waits until no job and no decision is in progress. */
async function waitForJobs(target: Target): Promise<void> {
  const unfinished = `(select count(*) from jobs where status in ('queued', 'processing'))
    + (select count(*) from decisions where status in ('applying', 'undoing'))`
  const isDone = async () => (await target.number(unfinished)) === 0
  await until(isDone, WAIT_MS, 'jobs and decisions do not end')
}
