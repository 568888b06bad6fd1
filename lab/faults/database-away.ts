import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './fault.ts'
import { onServer, type PrivatePostgres } from '../../scripts/postgres.ts'
import { LoadGenerator } from '../harness/load-generator.ts'

const ANSWER_MS = 20_000

type Harm = (postgres: PrivatePostgres) => Promise<void>

const restarted =
  (signal: 'INT' | 'QUIT' | 'KILL', pauseMs = 0): Harm =>
  async (postgres) => {
    await postgres.interrupt(signal)
    await sleep(pauseMs)
    await postgres.resume()
  }

async function killBackend(postgres: PrivatePostgres): Promise<void> {
  const [backend] = await backendsOf(postgres)
  if (backend !== undefined) process.kill(backend, 'SIGKILL')
  await sleep(300)
}

/** Suspends one backend process for three seconds. Other backends may wait for locks that this one holds. */
async function stopBackend(postgres: PrivatePostgres): Promise<void> {
  const [backend] = await backendsOf(postgres)
  if (backend === undefined) return
  process.kill(backend, 'SIGSTOP')
  await sleep(3000)
  process.kill(backend, 'SIGCONT')
}

async function stopAll(postgres: PrivatePostgres): Promise<void> {
  const stopped = [postgres.pid, ...(await backendsOf(postgres))]
  for (const pid of stopped) process.kill(pid, 'SIGSTOP')
  await sleep(3000)
  for (const pid of stopped.reverse()) {
    try {
      process.kill(pid, 'SIGCONT')
    } catch {
      // The process has already exited.
    }
  }
}

async function backendsOf({ url }: PrivatePostgres): Promise<number[]> {
  const rows = await onServer(
    url,
    "select pid from pg_stat_activity where application_name = 'plaza' and backend_type = 'client backend' order by random()",
  )
  return rows.map(({ pid }) => Number(pid))
}

function make(name: string, promise: string, harms: Harm[], rounds: Fault['rounds']): Fault {
  return {
    name,
    promise,
    engines: ['postgres'],
    rounds,
    async run(harness, times) {
      const load = await LoadGenerator.gather(harness, 24)
      const server = await harness.serve()
      await load.prepare(server.url)
      const writing = load.start(server.url, { patienceMs: ANSWER_MS })
      let slowestAgain = 0
      for (let round = 0; round < times; round++) {
        await sleep(300 + Math.random() * 500)
        await (harms[round % harms.length] as Harm)(harness.postgres as PrivatePostgres)
        slowestAgain = Math.max(slowestAgain, await load.recovery(30))
      }
      load.judgeAbsence(await writing.stop(), slowestAgain)
      await load.check()
    },
  }
}

export const databaseRestart = make(
  'database-restart',
  'answers writes with 503 while the database is unavailable and reconnects automatically',
  [restarted('INT', 500), restarted('QUIT'), restarted('KILL'), killBackend],
  { full: 48, short: 4 },
)

export const databaseStopped = make(
  'database-stopped',
  'loses nothing when the database hangs and reconnects automatically',
  [stopBackend, stopAll],
  { full: 10, short: 1 },
)
