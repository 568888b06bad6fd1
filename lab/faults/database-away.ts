import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './fault.ts'
import { type Findings, noFindings } from './harness/findings.ts'
import { LoadGenerator, judgeAbsence, type Stats } from './harness/load-generator.ts'
import type { Harness } from './harness/harness.ts'
import type { PostgresServer } from './harness/postgres.ts'

const ANSWER_MS = 20_000

type Harm = (postgres: PostgresServer) => Promise<void>

async function restart(postgres: PostgresServer): Promise<void> {
  await postgres.stop('INT')
  await sleep(500)
  await postgres.start()
}

async function crash(postgres: PostgresServer): Promise<void> {
  await postgres.stop('QUIT')
  await postgres.start()
}

async function killServer(postgres: PostgresServer): Promise<void> {
  await postgres.stop('KILL')
  await postgres.start()
}

async function killBackend(postgres: PostgresServer): Promise<void> {
  const [backend] = await postgres.backends()
  if (backend !== undefined) process.kill(backend, 'SIGKILL')
  await sleep(300)
}

/** Suspends one backend process for three seconds. Other backends may wait for locks that this one holds. */
async function stopBackend(postgres: PostgresServer): Promise<void> {
  const [backend] = await postgres.backends()
  if (backend === undefined) return
  process.kill(backend, 'SIGSTOP')
  await sleep(3000)
  process.kill(backend, 'SIGCONT')
}

async function stopAll(postgres: PostgresServer): Promise<void> {
  const stopped = [postgres.pid, ...(await postgres.backends())]
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

function make(name: string, promise: string, harms: Harm[], rounds: Fault['rounds']): Fault {
  return {
    name,
    promise,
    engines: ['postgres'],
    rounds,
    missing: () => (process.platform === 'linux' ? undefined : 'reads /proc'),
    run: (harness, times) => harmed(harness, harms, times),
  }
}

async function harmed(harness: Harness, harms: Harm[], rounds: number): Promise<Findings> {
  const { postgres } = harness
  if (!postgres) throw new Error('needs PostgreSQL')
  const findings = noFindings()
  const load = await LoadGenerator.gather(harness, 24)
  const server = await harness.serve()
  await load.prepare(server.url)
  let isOver = false
  const writing: Promise<Stats> = load.write({
    url: () => server.url,
    isOver: () => isOver,
    isPersistent: true,
    patienceMs: ANSWER_MS,
  })
  let slowestAgain = 0
  for (let round = 0; round < rounds; round++) {
    await sleep(300 + Math.random() * 500)
    await (harms[round % harms.length] as Harm)(postgres)
    const before = load.journal.acknowledged
    const back = Date.now()
    while (load.journal.acknowledged < before + 30 && Date.now() - back < 30_000) await sleep(20)
    slowestAgain = Math.max(slowestAgain, Date.now() - back)
  }
  isOver = true
  const stats = await writing
  judgeAbsence(stats, slowestAgain, findings)
  if (server.child.exitCode !== null) findings.broken.push('the server exited')
  await load.journal.verify(harness, findings)
  await harness.recount(findings)
  return findings
}

export const databaseRestart = make(
  'database-restart',
  'answers writes with 503 while the database is unavailable and reconnects automatically',
  [restart, crash, killServer, killBackend],
  { full: 48, short: 4 },
)

export const databaseStopped = make(
  'database-stopped',
  'loses nothing when the database hangs and reconnects automatically',
  [stopBackend, stopAll],
  { full: 10, short: 1 },
)
