import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { pino } from 'pino'
import type { JobRow } from '../db/media-tables.ts'
import { startApp } from '../../test/app.ts'
import { dataOf, times } from '../../test/make.ts'
import { enqueue, enqueueAnew, enqueueUnlessCompleted, findJob, JobFailed } from './rules.ts'
import { Worker } from './worker.ts'

const app = await startApp()
// Stops the server's worker, which would otherwise run the jobs of these tests.
await app.deps.worker.close()
const log = pino({ level: 'silent' })
const now = () => app.clock.now()
let made = 0

// Deletes leftover jobs, so that the workers of the next test do not find them.
afterEach(() => app.sql('delete from jobs'))

const workers = new Set<Worker>()

function newWorker(): Worker {
  const worker = new Worker(app.db, now, log)
  workers.add(worker)
  return worker
}

const thumbnailOf = (subject: string) => ({ kind: 'thumbnail', subject, ownerId: '' }) as const

function queue(subject = `subject-${++made}`): Promise<JobRow> {
  return app.db.transaction((tx) => enqueue(tx, thumbnailOf(subject), now()))
}

async function read({ subject }: { subject: string }): Promise<JobRow> {
  const job = await findJob(app.db, 'thumbnail', subject)
  assert.ok(job)
  return job
}

async function until(job: JobRow, wanted: (row: JobRow) => boolean): Promise<JobRow> {
  for (const start = Date.now(); ; ) {
    const row = await read(job)
    if (wanted(row)) return row
    assert.ok(Date.now() - start < 120_000, `still ${JSON.stringify(row)}`)
    await new Promise((done) => setTimeout(done, 20))
  }
}

const isOver = ({ status }: JobRow) => status === 'completed' || status === 'failed'

function gate(): { open: () => void; passed: Promise<void> } {
  let open = () => {}
  const passed = new Promise<void>((resolve) => (open = resolve))
  return { open, passed }
}

test('keeps one job for each kind and subject when many requests queue it', async () => {
  const jobs = await times(20, () => queue('the same'))
  assert.equal(new Set(jobs.map(({ id }) => id)).size, 1)
  const [row] = jobs
  assert.deepEqual([row?.status, row?.attempts, row?.progress], ['queued', 0, 0])
})

test('runs a job once with several workers and commits the result with the completion', async () => {
  const parallelWorkers = Array.from({ length: 4 }, newWorker)
  const ran: string[] = []
  for (const worker of parallelWorkers) {
    worker.handle('thumbnail', async ({ subject }) => {
      ran.push(subject)
      return async (tx) => {
        await enqueue(tx, { kind: 'conversion', subject: `of ${subject}`, ownerId: '' }, now())
      }
    })
    worker.start()
  }
  const jobs = await times(30, () => queue())
  for (const job of jobs) {
    const row = await until(job, isOver)
    assert.deepEqual(
      [row.status, row.progress, row.attempts, row.due_at, row.lease],
      ['completed', 1000, 1, null, null],
    )
    assert.ok(await findJob(app.db, 'conversion', `of ${job.subject}`))
  }
  await Promise.all(parallelWorkers.map((worker) => worker.close()))
  assert.equal(ran.length, 30)
  assert.equal(new Set(ran).size, 30)
})

test('restarts a finished job when it is queued again, unless the caller accepts a completed one', async () => {
  const worker = newWorker()
  worker.handle('thumbnail', async () => {})
  worker.start()
  const job = await until(await queue(), isOver)
  await worker.close()
  const enough = await app.db.transaction((tx) =>
    enqueueUnlessCompleted(tx, thumbnailOf(job.subject), now()),
  )
  assert.equal(enough.status, 'completed')
  const again = await queue(job.subject)
  assert.deepEqual(
    [again.id, again.status, again.progress, again.attempts],
    [job.id, 'queued', 0, 0],
  )
  const waiting = await queue(job.subject)
  assert.equal(waiting.due_at, again.due_at)
})

test('fails a job immediately on JobFailed and runs the failure hook in the same transaction', async () => {
  const worker = newWorker()
  let runs = 0
  worker.handle(
    'thumbnail',
    () => {
      runs++
      return Promise.reject(new JobFailed('internal'))
    },
    {
      failed: async (tx, { subject }, code) => {
        await enqueue(tx, { kind: 'conversion', subject: `${subject} ${code}`, ownerId: '' }, now())
      },
    },
  )
  worker.start()
  const job = await until(await queue(), isOver)
  await worker.close()
  assert.deepEqual([job.status, job.error, runs], ['failed', 'internal', 1])
  assert.ok(await findJob(app.db, 'conversion', `${job.subject} internal`))
})

test('retries twice with growing pauses when a job throws, then fails it', async () => {
  const worker = newWorker()
  let runs = 0
  worker.handle('thumbnail', () => {
    runs++
    return Promise.reject(new Error('planted'))
  })
  worker.start()
  const job = await queue()
  const first = await until(job, ({ attempts, status }) => attempts === 1 && status === 'queued')
  const firstPause = (first.due_at ?? 0) - first.updated_at
  app.clock.advance(firstPause)
  worker.wake()
  const second = await until(job, ({ attempts, status }) => attempts === 2 && status === 'queued')
  const secondPause = (second.due_at ?? 0) - second.updated_at
  assert.ok(firstPause >= 1000 && secondPause > firstPause, `${firstPause}, ${secondPause}`)
  assert.equal(runs, 2)
  app.clock.advance(secondPause)
  worker.wake()
  const last = await until(job, isOver)
  await worker.close()
  assert.deepEqual([last.status, last.error, runs], ['failed', 'internal', 3])
})

test("lets another worker take over when the lease expires, and discards the first worker's result", async () => {
  const slow = newWorker()
  const started = gate()
  const held = gate()
  let wrote = false
  let aborted = false
  slow.handle('thumbnail', async (_job, { signal }) => {
    started.open()
    await held.passed
    aborted = signal.aborted
    return async () => {
      wrote = true
    }
  })
  slow.start()
  const job = await queue()
  await started.passed
  // Expires the lease before the worker renews it, as if the process had been paused.
  await app.sql(`update jobs set due_at = ${now() - 1} where id = '${job.id}'`)
  const next = newWorker()
  next.handle('thumbnail', async () => {})
  next.start()
  const row = await until(job, isOver)
  assert.deepEqual([row.status, row.attempts], ['completed', 2])
  await new Promise((done) => setTimeout(done, 50))
  held.open()
  await slow.close()
  await next.close()
  assert.equal(wrote, false)
  assert.equal(typeof aborted, 'boolean')
  assert.deepEqual(await read(job), row)
})

test('aborts the job when its lease is lost', async () => {
  const worker = newWorker()
  const started = gate()
  const learnt = gate()
  worker.handle('thumbnail', async (_job, { signal, progress }) => {
    started.open()
    progress(0.5)
    await new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        learnt.open()
        reject(signal.reason as Error)
      })
    })
  })
  worker.start()
  const job = await queue()
  await started.passed
  await app.sql(
    `update jobs set lease = 'another', due_at = ${now() + 60_000} where id = '${job.id}'`,
  )
  await learnt.passed
  await worker.close()
  const row = await read(job)
  assert.deepEqual([row.status, row.lease, row.progress], ['processing', 'another', 0])
})

test('restarts a running job on enqueueAnew and discards the result of the earlier run', async () => {
  const bothWorkers = [newWorker(), newWorker()]
  const runs = [0, 1].map(() => ({ started: gate(), held: gate() }))
  const [first, second] = runs as [(typeof runs)[0], (typeof runs)[0]]
  const wrote: number[] = []
  let begun = 0
  for (const worker of bothWorkers) {
    worker.handle('thumbnail', async () => {
      const index = begun++
      runs[index]?.started.open()
      await runs[index]?.held.passed
      return async () => void wrote.push(index)
    })
    worker.start()
  }
  const job = await queue()
  await first.started.passed
  assert.equal((await queue(job.subject)).status, 'processing', 'a plain enqueue leaves it running')
  const anew = await app.db.transaction((tx) => enqueueAnew(tx, thumbnailOf(job.subject), now()))
  assert.deepEqual([anew.id, anew.status, anew.attempts], [job.id, 'queued', 0])
  await second.started.passed
  first.held.open()
  await new Promise((done) => setTimeout(done, 100))
  assert.equal((await read(job)).status, 'processing')
  second.held.open()
  assert.equal((await until(job, isOver)).attempts, 1)
  await Promise.all(bothWorkers.map((worker) => worker.close()))
  assert.deepEqual([wrote, begun], [[1], 2])
})

test('stores progress and renews the lease while a job runs', async () => {
  const worker = newWorker()
  const held = gate()
  worker.handle('thumbnail', async (_job, { progress }) => {
    progress(0.25)
    progress(0.1)
    await held.passed
  })
  worker.start()
  const job = await queue()
  const before = await until(job, ({ status }) => status === 'processing')
  const row = await until(job, ({ progress }) => progress > 0)
  assert.equal(row.progress, 250)
  assert.ok((row.due_at ?? 0) > (before.due_at ?? 0))
  held.open()
  assert.equal((await until(job, isOver)).progress, 1000)
  await worker.close()
})

test('returns the job to the queue without counting the attempt when the worker closes', async () => {
  const worker = newWorker()
  const started = gate()
  worker.handle('thumbnail', (_job, { signal }) => {
    started.open()
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('stopped')))
    })
  })
  worker.start()
  const job = await queue()
  await started.passed
  await worker.close()
  const row = await read(job)
  assert.deepEqual([row.status, row.attempts, row.lease], ['queued', 0, null])
  assert.ok((row.due_at ?? Infinity) <= now())
})

test('runs a job again when its process died, at most ten times', async () => {
  const jobs = [await queue(), await queue()] as const
  for (const [i, { id }] of jobs.entries()) {
    await app.sql(
      `update jobs set status = 'processing', attempts = ${9 + i}, lease = 'dead', due_at = ${now() - 1} where id = '${id}'`,
    )
  }
  const worker = newWorker()
  const ran: string[] = []
  worker.handle('thumbnail', async ({ id }) => void ran.push(id))
  worker.start()
  const [again, over] = [await until(jobs[0], isOver), await until(jobs[1], isOver)]
  await worker.close()
  assert.equal(again.status, 'completed')
  assert.deepEqual([over.status, over.error, ran], ['failed', 'internal', [again.id]])
})

test('does not count an attempt when storage is full or the database is unavailable', async () => {
  const worker = newWorker()
  let runs = 0
  worker.handle('thumbnail', async () => {
    if (++runs === 1) throw Object.assign(new Error('planted'), { code: 'ENOSPC' })
  })
  worker.start()
  const job = await queue()
  const waiting = await until(job, ({ due_at, status }) => status === 'queued' && due_at! > now())
  assert.equal(waiting.attempts, 0)
  app.clock.advance((waiting.due_at ?? 0) - now())
  worker.wake()
  assert.equal((await until(job, isOver)).status, 'completed')
  await worker.close()
})

test('reports background work in /api/health', async () => {
  const health = dataOf(await app.anon.get('/api/health'))
  assert.equal(health.checks.jobs, 'ok')
})

test('runs a job whose due time is too far ahead, but keeps a normal pause', async () => {
  const [ahead, pausing] = [await queue(), await queue()]
  const year = 365 * 24 * 60 * 60 * 1000
  await app.sql(`update jobs set due_at = ${now() + year}, status = 'processing', lease = 'of one that died'
    where id = '${ahead.id}'`)
  await app.sql(`update jobs set due_at = ${now() + 30_000} where id = '${pausing.id}'`)
  assert.equal((await queue(ahead.subject)).id, ahead.id)
  const worker = newWorker()
  worker.handle('thumbnail', async () => {})
  worker.start()
  assert.equal((await until(ahead, isOver)).status, 'completed')
  await worker.close()
  assert.equal((await read(pausing)).status, 'queued')
})
