import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { pino } from 'pino'
import { startApp } from '../../test/app.ts'
import { dataOf, suspend } from '../../test/make.ts'
import type { JobRow } from '../db/media-tables.ts'
import { addUsage, findNextJob } from './claim-queries.ts'
import { JobLimits } from './limits.ts'
import { runProgram } from './program.ts'
import { enqueue, findJob, type NewJob } from './rules.ts'
import { type JobControl, Worker } from './worker.ts'
import { until } from '../../test/receiver.ts'

const app = await startApp()
// Stops the server's worker, which would otherwise run the jobs of these tests.
await app.deps.worker.close()
const log = pino({ level: 'silent' })
const now = () => app.clock.now()
const [ana, ben] = [await app.user(), await app.user()]
let made = 0

const workers = new Set<Worker>()

afterEach(async () => {
  await Promise.all([...workers].map((worker) => worker.close()))
  workers.clear()
  await app.sql('delete from jobs')
  await app.sql('delete from job_turns')
  await app.sql('delete from job_usage')
})

function newWorker(limits = new JobLimits()): Worker {
  const worker = new Worker(app.db, now, log, limits)
  workers.add(worker)
  return worker
}

function queue(ownerId: string, over: Partial<NewJob> = {}): Promise<JobRow> {
  const job: NewJob = { kind: 'conversion', subject: `file-${++made}`, ownerId, ...over }
  return app.db.transaction((tx) => enqueue(tx, job, now()))
}

async function read({ subject }: JobRow): Promise<JobRow> {
  const job = await findJob(app.db, 'conversion', subject)
  assert.ok(job)
  return job
}

const PATIENCE_MS = 120_000

const untilIs = (job: JobRow, status: JobRow['status']) =>
  until(
    async () => (await read(job)).status === status,
    `${job.subject} to be ${status}`,
    PATIENCE_MS,
  )

async function runAll(count: number): Promise<string[]> {
  const order: string[] = []
  const worker = newWorker()
  worker.handle('conversion', async ({ subject }) => void order.push(subject))
  worker.start()
  await until(async () => order.length === count, `${count} jobs`, PATIENCE_MS)
  await worker.close()
  return order
}

function spin({ signal }: JobControl): Promise<unknown> {
  const options = { signal, limits: { seconds: 300 }, searchPath: '/usr/local/bin:/usr/bin:/bin' }
  return runProgram('sh', ['-c', 'while :; do :; done'], options)
}

test('alternates between owners, and runs the shortest job of each first', async () => {
  const target = (name: string, ownerId: string, expectedMs: number) =>
    queue(ownerId, { subject: name, expectedMs })
  await target('ana 3', ana.id, 300)
  await target('ana 1', ana.id, 100)
  await target('ana 4', ana.id, 400)
  await target('ana 2', ana.id, 200)
  await target('ben 2', ben.id, 9000)
  await target('ben 1', ben.id, 5000)
  const order = await runAll(6)
  assert.deepEqual(order.slice(0, 4).toSorted(), ['ana 1', 'ana 2', 'ben 1', 'ben 2'])
  for (const pair of [order.slice(0, 2), order.slice(2, 4)]) {
    assert.deepEqual(new Set(pair.map((name) => name.slice(0, 3))), new Set(['ana', 'ben']))
  }
  assert.ok(order.indexOf('ben 1') < order.indexOf('ben 2'))
  assert.deepEqual(order.slice(4), ['ana 3', 'ana 4'])
})

test('runs the job of a new owner next, however many jobs another owner has queued and run', async () => {
  for (let i = 0; i < 20; i++) await queue(ana.id)
  await runAll(20)
  for (let i = 0; i < 20; i++) await queue(ana.id)
  await queue(ben.id, { subject: 'the newcomer', expectedMs: 6000 })
  assert.equal((await runAll(21))[0], 'the newcomer')
})

test('runs a short job while a long job of another owner runs', async () => {
  const worker = newWorker()
  let endLong = () => {}
  const held = new Promise<void>((resolve) => (endLong = resolve))
  worker.handle('conversion', async (job) => (job.queue === 'long' ? held : undefined))
  worker.start()
  const long = [
    await queue(ana.id, { queue: 'long' }),
    await queue(ana.id, { queue: 'long' }),
  ] as const
  await until(
    async () => (await Promise.all(long.map(read))).some(({ status }) => status === 'processing'),
    'a long job',
    PATIENCE_MS,
  )
  const short = await queue(ben.id)
  await untilIs(short, 'completed')
  const statuses = (await Promise.all(long.map(read))).map(({ status }) => status)
  assert.deepEqual(statuses.toSorted(), ['processing', 'queued'])
  endLong()
  await Promise.all(long.map((job) => untilIs(job, 'completed')))
  await worker.close()
})

test('continues a job in the long queue when it is longer than estimated', async () => {
  const worker = newWorker()
  const queues: string[] = []
  worker.handle('conversion', async (job, control) => {
    queues.push(job.queue)
    if (job.queue === 'short') await spin(control)
  })
  const job = await queue(ana.id)
  await app.sql(`update jobs set cpu_ms = 19500 where id = '${job.id}'`)
  worker.start()
  await untilIs(job, 'completed')
  await worker.close()
  const { attempts, cpu_ms } = await read(job)
  assert.deepEqual([queues, attempts], [['short', 'long'], 1])
  assert.ok(cpu_ms > 20_000, `${cpu_ms} ms`)
})

test('fails a job that used its processor time, and kills its programs', async () => {
  const worker = newWorker(new JobLimits(1))
  let failed: string | undefined
  worker.handle('conversion', async (_job, control) => void (await spin(control)), {
    failed: async (_tx, _job, code) => void (failed = code),
  })
  worker.start()
  const job = await queue(ana.id, { queue: 'long' })
  await untilIs(job, 'failed')
  await worker.close()
  const { error, attempts, cpu_ms } = await read(job)
  assert.deepEqual([error, failed, attempts], ['too_heavy', 'too_heavy', 1])
  const [usage] = await app.sql(`select used_ms from job_usage where owner_id = '${ana.id}'`)
  assert.ok(
    cpu_ms > 1000 && Number(usage?.['used_ms']) > 1000,
    `${cpu_ms}, ${JSON.stringify(usage)}`,
  )
})

test('counts programs that end before the first sample', async () => {
  const worker = newWorker()
  worker.handle('conversion', async (_job, { signal }) => {
    const options = { signal, limits: { seconds: 60 }, searchPath: '/usr/bin:/bin' }
    const loop = 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done'
    await runProgram('sh', ['-c', loop], options)
  })
  worker.start()
  const job = await queue(ana.id)
  await untilIs(job, 'completed')
  await worker.close()
  assert.ok((await read(job)).cpu_ms > 0)
})

test('delays the jobs of an owner over the daily limit until the next day, but not those of other owners', async () => {
  const { dayMs } = new JobLimits()
  await addUsage(app.db, { ownerId: ana.id, ms: dayMs - 1, now: now() })
  await addUsage(app.db, { ownerId: ana.id, ms: 1, now: now() })
  const [waits, runs] = [await queue(ana.id), await queue(ben.id)]
  const worker = newWorker()
  worker.handle('conversion', async () => {})
  worker.start()
  await untilIs(runs, 'completed')
  assert.equal((await read(waits)).status, 'queued')
  // The usage resets on the next day, and also when the clock is set back.
  app.clock.advance(86_400_000)
  worker.wake()
  await untilIs(waits, 'completed')
  await worker.close()
  await addUsage(app.db, { ownerId: ana.id, ms: 7, now: now() })
  await addUsage(app.db, { ownerId: ana.id, ms: 5, now: now() - 86_400_000 })
  assert.equal(
    Number(await app.value(`select used_ms from job_usage where owner_id = '${ana.id}'`)),
    5,
  )
})

test('keeps jobs of a suspended owner waiting until the suspension is lifted', async () => {
  const cara = await app.user()
  const [waits, runs] = [await queue(cara.id), await queue(ben.id)]
  await suspend(app, cara)
  const worker = newWorker()
  worker.handle('conversion', async () => {})
  worker.start()
  await untilIs(runs, 'completed')
  assert.equal((await read(waits)).status, 'queued')
  const admin = await app.admin()
  dataOf(await admin.patch(`/admin/users/${cara.id}`, { is_suspended: false }))
  await untilIs(waits, 'completed')
  await worker.close()
})

test('finds the next job at the same cost for any number of queued jobs per owner', async () => {
  const search = { kind: 'conversion', queue: 'short', dayLimitMs: 1e9 } as const
  const measure = async () => {
    const start = performance.now()
    for (let i = 0; i < 100; i++) assert.ok(await findNextJob(app.db, { ...search, now: now() }))
    return performance.now() - start
  }
  const insert = (from: number, count: number) =>
    app.sql(`with recursive numbers (n) as (select ${from} union all select n + 1 from numbers where n < ${from + count - 1})
      insert into jobs (id, kind, subject, status, due_at, owner_id, created_at, updated_at)
      select 'job_' || n, 'conversion', 'many-' || n, 'queued', 1, '${ana.id}', 1, 1 from numbers`)
  await queue(ben.id)
  await insert(1, 20)
  await measure()
  const few = await measure()
  await insert(21, 20_000)
  // Updates the statistics now, which PostgreSQL otherwise does within a minute. PostgreSQL then also discards the plans
  // that it made for 20 jobs.
  if (app.db.engine === 'postgres') await app.sql('analyze jobs')
  const many = await measure()
  assert.ok(many < few * 10 + 200, `${few} ms for 20 jobs, ${many} ms for 20,000`)
})
