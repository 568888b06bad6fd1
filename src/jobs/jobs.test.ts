import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { pino } from 'pino'
import type { JobRow } from '../db/media-tables.ts'
import { startApp } from '../../test/app.ts'
import { dataOf, times } from '../../test/make.ts'
import { enqueue, enqueueAnew, enqueueUnlessCompleted, findJob, JobFailed } from './rules.ts'
import { Worker } from './worker.ts'

const app = await startApp()
// The server's own worker would take what is for those of these tests.
await app.deps.worker.close()
const log = pino({ level: 'silent' })
const now = () => app.clock.now()
let made = 0

// Workers of the next test find no job of this one.
afterEach(() => app.sql('delete from jobs'))

const workers = new Set<Worker>()

/** A worker of its own, as another process would have. */
function newWorker(): Worker {
  const worker = new Worker(app.db, now, log)
  workers.add(worker)
  return worker
}

const thumbnailOf = (subject: string) => ({ kind: 'thumbnail', subject, ownerId: '' }) as const

/** Queues a job about a new subject. */
function queue(subject = `subject-${++made}`): Promise<JobRow> {
  return app.db.transaction((tx) => enqueue(tx, thumbnailOf(subject), now()))
}

async function read({ subject }: { subject: string }): Promise<JobRow> {
  const job = await findJob(app.db, 'thumbnail', subject)
  assert.ok(job)
  return job
}

/** The job once it is as `wanted` says. */
async function until(job: JobRow, wanted: (row: JobRow) => boolean): Promise<JobRow> {
  for (const start = Date.now(); ; ) {
    const row = await read(job)
    if (wanted(row)) return row
    assert.ok(Date.now() - start < 120_000, `still ${JSON.stringify(row)}`)
    await new Promise((done) => setTimeout(done, 20))
  }
}

const isOver = ({ status }: JobRow) => status === 'completed' || status === 'failed'

/** A promise that something else keeps. */
function gate(): { open: () => void; passed: Promise<void> } {
  let open = () => {}
  const passed = new Promise<void>((resolve) => (open = resolve))
  return { open, passed }
}

test('one kind and subject has one job, however many ask for it', async () => {
  const jobs = await times(20, () => queue('the same'))
  assert.equal(new Set(jobs.map(({ id }) => id)).size, 1)
  const [row] = jobs
  assert.deepEqual([row?.status, row?.attempts, row?.progress], ['queued', 0, 0])
})

test('a job runs once however many workers look for it, and ends with what it brought', async () => {
  const all = Array.from({ length: 4 }, newWorker)
  const ran: string[] = []
  for (const worker of all) {
    worker.handle('thumbnail', async ({ subject }) => {
      ran.push(subject)
      return async (tx) => {
        // What it brings is written in the transaction that completes it.
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
  await Promise.all(all.map((worker) => worker.close()))
  assert.equal(ran.length, 30)
  assert.equal(new Set(ran).size, 30)
})

test('asked again, a job that is over starts from the beginning; one that was completed stays so if that is enough', async () => {
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

test('a job that cannot be done fails at once with its reason, together with what that means', async () => {
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

test('an error is tried again twice, after growing pauses, and then is final', async () => {
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

test('a job whose lease is over is taken up by another, and its first holder writes nothing more', async () => {
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
  // As if the process had been stopped for long: its lease ends before it renews it.
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

test('the holder of a lost lease learns of it', async () => {
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

test('what is queued anew while it runs starts from the beginning, and what ran before writes nothing', async () => {
  const all = [newWorker(), newWorker()]
  const runs = [0, 1].map(() => ({ started: gate(), held: gate() }))
  const [first, second] = runs as [(typeof runs)[0], (typeof runs)[0]]
  const wrote: number[] = []
  let begun = 0
  for (const worker of all) {
    worker.handle('thumbnail', async () => {
      const at = begun++
      runs[at]?.started.open()
      await runs[at]?.held.passed
      return async () => void wrote.push(at)
    })
    worker.start()
  }
  const job = await queue()
  await first.started.passed
  assert.equal((await queue(job.subject)).status, 'processing', 'asked for as before, it runs on')
  const anew = await app.db.transaction((tx) => enqueueAnew(tx, thumbnailOf(job.subject), now()))
  assert.deepEqual([anew.id, anew.status, anew.attempts], [job.id, 'queued', 0])
  await second.started.passed
  first.held.open()
  await new Promise((done) => setTimeout(done, 100))
  assert.equal((await read(job)).status, 'processing')
  second.held.open()
  assert.equal((await until(job, isOver)).attempts, 1)
  await Promise.all(all.map((worker) => worker.close()))
  assert.deepEqual([wrote, begun], [[1], 2])
})

test('progress is seen while a job runs, and its lease is renewed', async () => {
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

test('a worker that closes gives its job back at once, and the attempt does not count', async () => {
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

test('a job whose process died is run again, but not after ten times', async () => {
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

test('a full store or an absent database is no fault of the job', async () => {
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

test('health tells whether background work goes on', async () => {
  const health = dataOf(await app.anon.get('/api/health'))
  assert.equal(health.checks.jobs, 'ok')
})

test('a job that a clock ahead put off is done once the clock is right; one that pauses is not hurried', async () => {
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
