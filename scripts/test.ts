/**
 * Runs the tests on each engine: `npm test [-- sqlite | postgres] [part of a file's path]...`.
 * What needs a program that the machine lacks is left out, and the end says so; `REQUIRE` names
 * those whose absence is a failure, as in `REQUIRE=postgres,ffmpeg,chromium`. The end says what
 * failed, each in a few lines, and the last line is `N passed, N failed`, summed over the engines.
 */
import { accessSync, constants as modes, globSync, readFileSync } from 'node:fs'
import { availableParallelism, constants } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { type EventData, run } from 'node:test'
import { spec } from 'node:test/reporters'
import { migrate } from '../src/db/migrate.ts'
import { openDatabase } from '../src/db/open.ts'
import { buildClient } from '../src/web/build.ts'
import { batchFiles } from './batches.ts'
import { Failures } from './failures.ts'
import { findPostgres, startPrivatePostgres } from './postgres.ts'

interface Outcome {
  passed: number
  failed: number
  skipped: number
  /** What failed, each as a block of lines. */
  failures: string[]
}

/** Much longer than anything takes, on any machine: what passes them hangs. */
const TEST_TIMEOUT_MS = 150_000
const FILE_TIMEOUT_MS = 300_000
/** Ends a test file that something keeps open; node:test would wait for it for ever. */
const WATCHDOG = `setTimeout(() => {
  console.error('Still open after the time limit:', process.getActiveResourcesInfo().join(', '))
  process.exit(1)
}, ${FILE_TIMEOUT_MS}).unref()`

/** Programs that some tests need: all of a list, each by one of its names. */
const PROGRAMS: Record<string, string[][]> = {
  ffmpeg: [['ffmpeg'], ['ffprobe']],
  chromium: [['chromium', 'chromium-browser', 'google-chrome']],
  pgbouncer: [['pgbouncer']],
}

/** Tests over a database, of what has nothing to do with its rows. */
const ENGINELESS = [
  'sdk/',
  'src/bundles/',
  'src/conversion/process',
  'src/demo/games/',
  'src/files/guard',
  'src/games/browser',
  'src/games/listen',
  'src/games/origin',
  'src/games/players',
  'src/http/arrival',
  'src/http/protocol',
  'src/openapi/',
  'src/pictures/',
  'src/thumbnails/browser',
  'src/uploads/corpus',
  'src/uploads/forms',
  'src/uploads/media',
  'src/web/',
  'src/webhooks/guard',
  'src/webhooks/network',
  'test/layout',
  'test/raw',
  'test/shards',
  'web/',
]

/** What takes longest, longest first: it begins first, so that nothing long is left at the end. */
const LONG = [
  'web/journeys/pages',
  'src/demo/demo',
  'src/server',
  'web/journeys/talking',
  'src/conversion/convert',
  'web/journeys/playing',
  'src/backup/backup',
  'src/doctor/doctor',
  'web/journeys/joining',
  'src/conversion/works',
  'test/processes',
  'web/journeys/watching',
  'src/doctor/faults',
  'web/journeys/keyboard',
  'test/migrations',
  'src/cli/cli',
  'web/journeys/building',
  'src/conversion/process',
  'web/journeys/governing',
  'src/auth/auth',
  'src/uploads/disk',
]

type Engine = 'sqlite' | 'postgres'
const ENGINES: Engine[] = ['sqlite', 'postgres']
type TestEvent = EventData.TestPass | EventData.TestFail

/** What of this process's environment tests may see: the system's, no setting of a program. */
const SYSTEM_VARIABLES =
  /^(PATH|HOME|USER|LOGNAME|SHELL|TMPDIR|TEMP|TMP|TZ|LANG|LC_.*|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|CI|SystemRoot|windir|ComSpec|PATHEXT|APPDATA|LOCALAPPDATA|NODE_OPTIONS|NODE_V8_COVERAGE)$/i

const root = resolve(import.meta.dirname, '..')
/** Where Node keeps what it compiled, so that each test file need not do it again. */
const COMPILED = join(root, 'node_modules/.cache/compiled')
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => stop(128 + constants.signals[signal]))
}
if (process.env.npm_lifecycle_event) {
  // npm passes a signal on to its shell only, whose end is then all that this process sees of it.
  const shell = process.ppid
  setInterval(() => {
    if (process.ppid !== shell && !stopping.signal.aborted) stop(128 + constants.signals.SIGTERM)
  }, 250).unref()
}
process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<number> {
  const chosen = ENGINES.filter((engine) => args.includes(engine))
  const filters = args.filter((arg) => !ENGINES.some((engine) => engine === arg))
  const files = globSync(['{src,test,sdk,web}/**/*.test.ts'], { cwd: root })
    .filter((file) => filters.length === 0 || filters.some((part) => file.includes(part)))
    .sort()
    .map((file) => resolve(root, file))
  const postgres = findPostgres()
  console.log(
    postgres
      ? `PostgreSQL: ${postgres.version} in ${postgres.bin}`
      : 'PostgreSQL: not found: the PostgreSQL half is left out',
  )
  // So that no test waits for it; where it cannot be built, the test that builds it fails.
  await buildClient({ signal: stopping.signal }).catch((error: Error) =>
    console.error(error.message),
  )
  const required = (process.env.REQUIRE ?? '').split(',').filter(Boolean)
  const needsPostgres = required.includes('postgres') || chosen.includes('postgres')
  const missing = Object.keys(PROGRAMS).filter((name) => !isInstalled(name))
  const lines: string[] = []
  const sum = nothing()
  const engines = chosen.length > 0 ? chosen : ENGINES
  for (const engine of engines) {
    if (stopping.signal.aborted || (engine === 'postgres' && !postgres && !needsPostgres)) continue
    const start = performance.now()
    const outcome = await runEngine(
      engine,
      engine === engines[0] ? files : files.filter(usesDatabase),
    )
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    const { passed, failed, skipped } = outcome
    lines.push(`${engine}: ${passed} passed, ${failed} failed, ${skipped} skipped in ${seconds} s`)
    add(sum, outcome)
  }
  for (const name of missing) lines.push(`${name}: not found: what needs it is left out`)
  for (const name of required) {
    const isKnown = name === 'postgres' || Object.hasOwn(PROGRAMS, name)
    if (isKnown && !missing.includes(name)) continue
    lines.push(isKnown ? `${name} is required.` : `REQUIRE names ${name}, which is nothing.`)
    sum.failed += 1
  }
  if (!postgres && !needsPostgres) lines.push('PostgreSQL: not found: its half is left out')
  if (stopping.signal.aborted) lines.push('The run was stopped before its end.')
  else if (sum.passed + sum.failed === 0) lines.push('No test ran.')
  if (sum.failures.length > 0) console.log(`\nWhat failed:\n\n${sum.failures.join('\n')}\n`)
  console.log(lines.join('\n'))
  console.log(`${sum.passed} passed, ${sum.failed} failed`)
  if (stopping.signal.aborted) return Number(process.exitCode)
  return sum.failed > 0 || sum.passed === 0 ? 1 : 0
}

/** Whether what a file proves depends on the engine: without the test bench it knows none. */
function usesDatabase(file: string): boolean {
  if (ENGINELESS.some((part) => file.startsWith(join(root, part)))) return false
  return readFileSync(file, 'utf8').includes("/test/app.ts'") || file.startsWith(join(root, 'test'))
}

function isInstalled(program: string): boolean {
  // Debian has servers where only administrators look.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  const isThere = (name: string) =>
    folders.some((folder) => {
      try {
        accessSync(join(folder, name), modes.X_OK)
        return true
      } catch {
        return false
      }
    })
  return (PROGRAMS[program] ?? []).every((names) => names.some(isThere))
}

/** The outcome of the files on one engine; an engine that does not start is one failure. */
async function runEngine(engine: Engine, files: string[]): Promise<Outcome> {
  console.log(`\nTests on ${engine}, ${files.length} files`)
  if (files.length === 0) return nothing()
  const env = testEnvironment({ TEST_ENGINE: engine })
  if (engine === 'sqlite') return runAll(engine, files, env)
  try {
    const server = await startPrivatePostgres()
    try {
      const own = { TEST_DATABASE_URL: server.url, TEST_TEMPLATE: await makeTemplate(server.url) }
      return await runAll(engine, files, { ...env, ...own })
    } finally {
      await server.stop()
    }
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    console.error(said)
    return { ...nothing(), failed: 1, failures: [`✖ ${engine}: ${said}`] }
  }
}

/** Files that wait for one thing leave the processors to another, so there is one more than those. */
async function runAll(engine: Engine, files: string[], env: NodeJS.ProcessEnv): Promise<Outcome> {
  // Then batches, which mostly wait, and at the end what is over soon.
  const placeOf = (file: string) => {
    const at = LONG.findIndex((part) => file.startsWith(join(root, `${part}.`)))
    if (at >= 0) return at
    return files.includes(file) ? LONG.length + 1 : LONG.length
  }
  const batches = batchFiles(files)
  try {
    const inOrder = batches.files.toSorted((a, b) => placeOf(a) - placeOf(b))
    return await runFiles(engine, inOrder, env)
  } finally {
    batches.remove()
  }
}

/** A database with the schema and no row, which servers of tests begin with a copy of. */
async function makeTemplate(serverUrl: string): Promise<string> {
  const name = 'plaza_template'
  const url = new URL(serverUrl)
  const server = openDatabase({ databaseUrl: serverUrl, dataDir: '' })
  await server.script((query) => query(`create database ${name}`))
  await server.close()
  url.pathname = `/${name}`
  const template = openDatabase({ databaseUrl: url.href, dataDir: '' })
  await migrate(template, Date.now)
  await template.close()
  return name
}

function nothing(): Outcome {
  return { passed: 0, failed: 0, skipped: 0, failures: [] }
}

function add(sum: Outcome, { passed, failed, skipped, failures }: Outcome): void {
  sum.passed += passed
  sum.failed += failed
  sum.skipped += skipped
  sum.failures.push(...failures)
}

/**
 * Counts tests, not the suites and tests around them, nor a file as such; but all that fail for a
 * reason of their own.
 */
function runFiles(engine: Engine, files: string[], env: NodeJS.ProcessEnv): Promise<Outcome> {
  const outcome = nothing()
  if (files.length === 0 || stopping.signal.aborted) return Promise.resolve(outcome)
  return new Promise((settle, reject) => {
    const events = run({
      files,
      env,
      cwd: root,
      isolation: 'process',
      concurrency: availableParallelism() + 1,
      timeout: TEST_TIMEOUT_MS,
      execArgv: ['--import', `data:text/javascript,${encodeURIComponent(WATCHDOG)}`],
      signal: stopping.signal,
    })
    const told = new Failures(events, root)
    // Subtests come before the test they are in, so what came last one level deeper is inside.
    const inside: boolean[] = []
    const hasTests = ({ nesting }: TestEvent): boolean => {
      const had = inside[nesting + 1] === true
      inside.length = nesting
      inside[nesting] = true
      return had
    }
    const isLeftOut = ({ skip, todo }: TestEvent) => skip !== undefined || todo !== undefined
    events.on('test:pass', (data) => {
      const isTest = !hasTests(data) && data.details.type !== 'suite' && data.name !== data.file
      if (isLeftOut(data)) outcome.skipped += 1
      else if (isTest) outcome.passed += 1
    })
    events.on('test:fail', (data) => {
      const failedInside = hasTests(data) && ofSubtests(data)
      if (isLeftOut(data)) outcome.skipped += 1
      else if (!failedInside) {
        outcome.failed += 1
        outcome.failures.push(told.describe(engine, data))
      }
    })
    const report = events.compose(spec)
    report.once('error', reject)
    report.once('end', () => settle(outcome))
    report.pipe(process.stdout, { end: false })
  })
}

function stop(exitCode: number): void {
  // Asked twice, it does not wait for the tests; PostgreSQL ends with this process.
  if (stopping.signal.aborted) process.exit()
  process.exitCode = exitCode
  stopping.abort()
}

function ofSubtests({ details: { error } }: EventData.TestFail): boolean {
  return 'failureType' in error && error.failureType === 'subtestsFailed'
}

function testEnvironment(own: Record<string, string>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => SYSTEM_VARIABLES.test(name))
  return {
    ...Object.fromEntries(inherited),
    NODE_ENV: 'test',
    NODE_COMPILE_CACHE: COMPILED,
    ...own,
  }
}
