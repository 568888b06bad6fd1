import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort } from '../../scripts/postgres.ts'
import { ENGINE, startApp } from '../../test/app.ts'
import { assertError, dataOf, makeContent } from '../../test/make.ts'
import { VERSION } from '../package.ts'
import { MetricsListener } from './listen.ts'

const port = await freePort()
const app = await startApp({ METRICS_PORT: String(port) })
const DOCS = join(import.meta.dirname, '../../docs')

const ask = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method })

async function figures(): Promise<Map<string, number>> {
  const response = await ask('/metrics')
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
  const lines = (await response.text()).split('\n').filter((line) => line && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const space = line.lastIndexOf(' ')
      return [line.slice(0, space), Number(line.slice(space + 1))]
    }),
  )
}

test('counts requests by method, route and status, and errors by code', async () => {
  const mina = await app.user()
  const { id } = await makeContent(mina)
  const before = await figures()
  dataOf(await mina.post(`/contents/${id}/like`))
  dataOf(await mina.post(`/contents/${id}/like`))
  assertError(await app.anon.post(`/contents/${id}/like`), 401, 'UNAUTHORIZED')
  assertError(await app.anon.get(`/no/${id}`), 404, 'ROUTE_NOT_FOUND')
  const found = await figures()
  const grown = (name: string) => (found.get(name) ?? 0) - (before.get(name) ?? 0)
  const like = 'method="POST",route="/api/v1/contents/:id/like"'
  assert.equal(grown(`plaza_http_requests_total{${like},status="200"}`), 2)
  assert.equal(grown(`plaza_http_requests_total{${like},status="401"}`), 1)
  assert.equal(grown(`plaza_http_request_duration_seconds_count{${like}}`), 3)
  assert.equal(grown('plaza_http_requests_total{method="GET",route="none",status="404"}'), 1)
  assert.equal(grown('plaza_http_errors_total{code="UNAUTHORIZED"}'), 1)
  assert.equal(grown('plaza_database_duration_seconds_count{operation="transaction"}'), 2)
  assert.equal(found.get('plaza_http_requests_in_flight'), 0)
  assert.equal(found.get('plaza_http_requests_shed_total'), 0)
  assert.equal(grown('plaza_failures_total{part="database"}'), 0)
  assert.equal([...found.keys()].filter((name) => name.includes(id)).length, 0)
})

test('reports queue length and age, also when background work is switched off', async () => {
  const before = await figures()
  assert.equal(before.get('plaza_queue_depth{queue="conversion"}'), 0)
  assert.equal(before.get('plaza_queue_age_seconds{queue="conversion"}'), 0)
  const since = app.clock.now() - 90_000
  await app.sql(
    `insert into jobs (id, kind, subject, status, due_at, created_at, updated_at)
     values ('job_x', 'conversion', 'x', 'queued', ${since}, ${since}, ${since})`,
  )
  const found = await figures()
  assert.equal(found.get('plaza_queue_depth{queue="conversion"}'), 1)
  const age = found.get('plaza_queue_age_seconds{queue="conversion"}') ?? 0
  assert.ok(age >= 90 && age < 100, `${age} s`)
  for (const queue of ['settling', 'thumbnail', 'sizes', 'delivery']) {
    assert.equal(found.get(`plaza_queue_depth{queue="${queue}"}`), 0)
  }
})

test('reports build info and the state of the process', async () => {
  const found = await figures()
  assert.equal(found.get(`plaza_build_info{version="${VERSION}",engine="${ENGINE}"}`), 1)
  assert.ok((found.get('process_resident_memory_bytes') ?? 0) > 1e7)
  assert.ok(found.has('nodejs_eventloop_lag_p99_seconds'))
})

test('serves metrics only on their own port and path', async () => {
  assert.equal((await ask('/')).status, 404)
  assert.equal((await ask('/metrics', 'POST')).status, 404)
  assert.equal((await ask('/metrics?of=prometheus', 'HEAD')).status, 200)
  assert.equal((await fetch(`${app.url}/metrics`)).status, 404)
})

test('rejects with a line naming the setting when the port is in use', async () => {
  const { log, metrics, config } = app.deps
  assert.ok(metrics)
  const second = new MetricsListener(metrics, config, log)
  await assert.rejects(second.listen(), {
    message: `listen EADDRINUSE: address already in use 127.0.0.1:${port}: another program uses this port; set METRICS_PORT`,
  })
  await second.close()
})

test('exports every metric that dashboard, alerts and docs name, and docs name every metric', async () => {
  const mina = await app.user()
  await makeContent(mina)
  app.deps.metrics?.countAnswer({
    method: 'GET',
    route: '/',
    status: 503,
    code: 'SERVICE_UNAVAILABLE',
    seconds: 1,
  })
  await app.deps.store.find('nothing/here')
  const text = await (await ask('/metrics')).text()
  const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
  const NAME = /\b((?:plaza|nodejs|process)_[a-z0-9_]+?)(?:_bucket|_count)?\b(?![_a-z*])/g
  for (const file of ['monitoring/dashboard.json', 'monitoring/alerts.yml', 'monitoring.md']) {
    const named = [...readFileSync(join(DOCS, file), 'utf8').matchAll(NAME)].map(([, name]) => name)
    assert.ok(named.length > 5)
    assert.deepEqual(
      named.filter((name) => !known.has(name as string)),
      [],
      file,
    )
  }
  const table = readFileSync(join(DOCS, 'monitoring.md'), 'utf8')
  const own = [...known].filter((name) => name?.startsWith('plaza_'))
  assert.deepEqual(
    own.filter((name) => !table.includes(`\`${name}\``)),
    [],
  )
})

async function labelsByFigure(): Promise<Map<string, Set<string>>> {
  const known = new Map<string, Set<string>>()
  for (const line of (await figures()).keys()) {
    const [, name = '', labels = ''] = /^(\w+)\{(.*)\}$/s.exec(line) ?? []
    if (!name) continue
    const target = known.get(name) ?? new Set()
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) target.add(label)
    known.set(name, target)
  }
  return known
}

test('uses only existing labels in dashboard and alerts, and documents them', async () => {
  const { metrics } = app.deps
  assert.ok(metrics)
  const part = 'storage'
  const fails = () => Promise.reject(new Error('away'))
  await assert.rejects(metrics.time({ part, operation: 'find', isFailure: () => true }, fails))
  assertError(await app.anon.get('/auth/me'), 401, 'UNAUTHORIZED')
  const known = await labelsByFigure()
  const read = (file: string) => readFileSync(join(DOCS, file), 'utf8')
  const queries = [
    ...read('monitoring/dashboard.json').split('"targets"').slice(1),
    ...read('monitoring/alerts.yml').split('- alert:').slice(1),
  ]
  assert.ok(queries.length > 15)
  let asked = 0
  for (const query of queries) {
    const names = [...query.matchAll(/\b(?:plaza|nodejs|process)_\w+/g)].map(([name]) => name)
    const labels = [
      ...query.matchAll(/(\w+)(?:=~|!=|!~|=)\\?"/g),
      ...[...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => [
        ...list.matchAll(/(\w+)/g),
      ]),
      ...query.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g),
    ].map(([, label = '']) => label)
    for (const name of names) {
      // Prometheus itself adds these two labels.
      const has = new Set(['job', 'instance', ...(known.get(name) ?? [])])
      assert.deepEqual(
        labels.filter((label) => !has.has(label)),
        [],
        name,
      )
      asked += labels.length
    }
  }
  assert.ok(asked > 50)
  const rows = read('monitoring.md').matchAll(/^\| `(plaza_\w+)` \|(.*?)\|/gm)
  for (const [, name = '', labels = ''] of rows) {
    const own = known.get(name) ?? known.get(`${name}_count`) ?? new Set()
    assert.deepEqual(labels.match(/\w+/g) ?? [], [...own], name)
  }
})
