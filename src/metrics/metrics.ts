/**
 * Metrics of one process, listed in docs/monitoring.md. The folder docs/monitoring contains a dashboard and alerts.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Db } from '../db/handle.ts'
import type { Answered } from '../http/access-log.ts'
import type { Load } from '../http/server/load.ts'
import type { JobKind } from '../db/media-tables.ts'
import { VERSION } from '../package.ts'
import { findFirstDue } from '../webhooks/queue-queries.ts'
import { countDeliveries, countJobs } from './queries.ts'

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

type Part = 'database' | 'storage'

interface Operation {
  part: Part
  operation: string
  /** True when the component failed, not when it correctly rejected a request. */
  isFailure(error: unknown): boolean
}

export class Metrics {
  readonly #registry = new Registry()
  readonly #requests = this.#counter('http_requests_total', 'Answered requests', [
    'method',
    'route',
    'status',
  ])
  readonly #errors = this.#counter('http_errors_total', 'Error responses by code', ['code'])
  readonly #seconds = this.#histogram('http_request_duration_seconds', 'Response time', [
    'method',
    'route',
  ])
  readonly #operations: Record<Part, Histogram> = {
    database: this.#histogram(
      'database_duration_seconds',
      'Time of a read, a write or a transaction, including waiting',
      ['operation'],
    ),
    storage: this.#histogram('storage_duration_seconds', 'Time of a file store operation', [
      'operation',
    ]),
  }
  readonly #failures = this.#counter('failures_total', 'Failed operations', ['part'])

  constructor({ engine }: Db) {
    collectDefaultMetrics({ register: this.#registry })
    this.#gauge('build_info', 'Version of Plaza and its engine', ['version', 'engine'], (gauge) =>
      gauge.set({ version: VERSION, engine }, 1),
    )
  }

  watchLoad(load: Load): void {
    this.#gauge('http_requests_in_flight', 'Requests in progress', [], (gauge) =>
      gauge.set(load.requests),
    )
    const shed = new Counter({
      name: 'plaza_http_requests_shed_total',
      help: 'Requests rejected because the server was overloaded',
      registers: [this.#registry],
      collect() {
        shed.reset()
        shed.inc(load.rejected)
      },
    })
  }

  /**
   * Adds gauges of the queues. Each reading of the gauges queries the database, so processes that share a database
   * report the same values.
   */
  watchQueues(db: Db, now: () => number): void {
    const labels = ['queue']
    let figures: Promise<{ queue: string; count: number; age: number }[]> | undefined
    // Both gauges share one query. They have no value while the database is unavailable.
    const look = () =>
      (figures ??= queuesOf(db, now())
        .catch(() => [])
        .finally(() => setImmediate(() => (figures = undefined))))
    const fill = async (gauge: Gauge, figure: 'count' | 'age') => {
      const queues = await look()
      gauge.reset()
      for (const { queue, [figure]: value } of queues) gauge.set({ queue }, value)
    }
    this.#gauge('queue_depth', 'Waiting and running entries', labels, (gauge) =>
      fill(gauge, 'count'),
    )
    this.#gauge('queue_age_seconds', 'Time since the first entry was due', labels, (gauge) =>
      fill(gauge, 'age'),
    )
  }

  countAnswer({ method, route, status, code, seconds }: Answered): void {
    this.#requests.inc({ method, route, status })
    this.#seconds.observe({ method, route }, seconds)
    if (code !== null) this.#errors.inc({ code })
  }

  async time<T>({ part, operation, isFailure }: Operation, run: () => Promise<T>): Promise<T> {
    const started = performance.now()
    try {
      return await run()
    } catch (error) {
      if (isFailure(error)) this.#failures.inc({ part })
      throw error
    } finally {
      this.#operations[part].observe({ operation }, (performance.now() - started) / 1000)
    }
  }

  async expose(): Promise<{ type: string; text: string }> {
    return { type: this.#registry.contentType, text: await this.#registry.metrics() }
  }

  #counter(name: string, help: string, labelNames: string[]): Counter {
    return new Counter({ name: `plaza_${name}`, help, labelNames, registers: [this.#registry] })
  }

  #histogram(name: string, help: string, labelNames: string[]): Histogram {
    const registers = [this.#registry]
    return new Histogram({ name: `plaza_${name}`, help, labelNames, buckets: BUCKETS, registers })
  }

  #gauge(
    name: string,
    help: string,
    labelNames: string[],
    fill: (gauge: Gauge) => void | Promise<void>,
  ): void {
    void new Gauge({
      name: `plaza_${name}`,
      help,
      labelNames,
      registers: [this.#registry],
      collect() {
        return fill(this)
      },
    })
  }
}

const JOB_KINDS: readonly JobKind[] = ['conversion', 'settling', 'thumbnail', 'sizes']

async function queuesOf(db: Db, now: number) {
  const [jobs, count, due_at] = await Promise.all([
    countJobs(db),
    countDeliveries(db),
    findFirstDue(db),
  ])
  const ageOf = (due: number | null = null) => (due === null ? 0 : Math.max(0, now - due) / 1000)
  const ofJobs = JOB_KINDS.map((queue) => {
    const found = jobs.find(({ kind }) => kind === queue)
    return { queue, count: found?.count ?? 0, age: ageOf(found?.due_at) }
  })
  return [...ofJobs, { queue: 'delivery', count, age: ageOf(due_at) }]
}
