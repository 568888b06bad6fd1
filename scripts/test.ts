/**
 * Runs tests.
 *
 * - `npm test`: the quick tests, on SQLite.
 * - `npm run test:all`: all tests, on both engines.
 * - `npm run test:all -- --rest`: the tests that `npm test` skips.
 * - `npm test -- [sqlite | postgres] [part of a file's path]...`: the matching files.
 *
 * Tests that need a missing program are skipped. `REQUIRE=postgres,ffmpeg,chromium` makes a missing program an error.
 * The output ends with all failures and the line `N passed, N failed`, summed over the engines.
 */
import { availableParallelism, constants } from 'node:os'
import { join, resolve } from 'node:path'
import { type EventData, run } from 'node:test'
import { migrate } from '../src/db/migrate.ts'
import { openDatabase } from '../src/db/open.ts'
import { buildClient } from '../src/web/build.ts'
import { batchFiles } from './batches.ts'
import { Failures } from './failures.ts'
import { findProgram } from './programs.ts'
import { createDatabase, findPostgres, startPrivatePostgres } from './postgres.ts'
import { countTests, findTestFiles, isQuick, LONG, usesDatabase } from './test-files.ts'
import { TestProgress } from './test-progress.ts'

interface Outcome {
  passed: number
  failed: number
  skipped: number
  failures: string[]
}

/** Limit for one test. It must exceed the slowest test on a slow machine. */
const TEST_TIMEOUT_MS = 150_000
/**
 * Limit for a process that runs one test file or a batch. It is enough on two processors that twenty other programs
 * keep busy.
 */
const FILE_TIMEOUT_MS = 900_000
/** Average duration of a test on two processors, for the estimate that is printed before the tests. */
const SECONDS_PER_TEST = 0.3
/** Code that ends a test process after a time limit, because an open resource could keep the process running. */
const WATCHDOG = `setTimeout(() => {
  console.error('Still open after the time limit:', process.getActiveResourcesInfo().join(', '))
  process.exit(1)
}, ${FILE_TIMEOUT_MS}).unref()`

/**
 * Executables of the programs that some tests need. Each inner list contains alternative names of one
 * executable.
 */
const PROGRAMS: Record<string, string[][]> = {
  ffmpeg: [['ffmpeg'], ['ffprobe']],
  chromium: [['chromium', 'chromium-browser', 'google-chrome']],
  pgbouncer: [['pgbouncer']],
}

type Engine = 'sqlite' | 'postgres'
const ENGINES: Engine[] = ['sqlite', 'postgres']
type TestEvent = EventData.TestPass | EventData.TestFail

const SYSTEM_VARIABLES =
  /^(PATH|HOME|USER|LOGNAME|SHELL|TMPDIR|TEMP|TMP|TZ|LANG|LC_.*|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|CI|SystemRoot|windir|ComSpec|PATHEXT|APPDATA|LOCALAPPDATA|NODE_OPTIONS|NODE_V8_COVERAGE)$/i

const root = resolve(import.meta.dirname, '..')
const COMPILED = join(root, 'node_modules/.cache/compiled')
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => stop(128 + constants.signals[signal]))
}
if (process.env.npm_lifecycle_event) {
  // npm forwards signals only to its shell. This process therefore stops when that shell has exited.
  const shell = process.ppid
  setInterval(() => {
    if (process.ppid !== shell && !stopping.signal.aborted) stop(128 + constants.signals.SIGTERM)
  }, 250).unref()
}
process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<number> {
  const isDefault = args.length === 0
  const chosen = ENGINES.filter((engine) => args.includes(engine))
  const isRest = args.includes('--rest')
  const filters = args.filter(
    (arg) => !arg.startsWith('--') && !ENGINES.some((name) => name === arg),
  )
  const files = findTestFiles(filters).filter((file) => !isDefault || isQuick(file))
  const postgres = findPostgres()
  if (isDefault) {
    console.log('Quick tests on the embedded engine. npm run test:all runs the rest.')
  } else {
    console.log(
      postgres
        ? `PostgreSQL: ${postgres.version} in ${postgres.bin}`
        : 'PostgreSQL: not found, skipping its tests',
    )
    // Builds the client once, so that no test waits for it. If the build fails, the test that builds the
    // client fails too.
    await buildClient({ signal: stopping.signal }).catch((error: Error) =>
      console.error(error.message),
    )
  }
  const required = (process.env.REQUIRE ?? '').split(',').filter(Boolean)
  const needsPostgres = required.includes('postgres') || chosen.includes('postgres')
  const isInstalled = (name: string) => PROGRAMS[name]?.every((names) => names.some(findProgram))
  const missing = isDefault ? [] : Object.keys(PROGRAMS).filter((name) => !isInstalled(name))
  const lines: string[] = []
  const sum = nothing()
  const engines: Engine[] = isDefault ? ['sqlite'] : chosen.length > 0 ? chosen : ENGINES
  for (const engine of engines) {
    if (stopping.signal.aborted || (engine === 'postgres' && !postgres && !needsPostgres)) continue
    const start = performance.now()
    const isFirst = engine === engines[0]
    const fits = (file: string) => (isFirst ? !(isRest && isQuick(file)) : usesDatabase(file))
    const outcome = await runEngine(engine, files.filter(fits))
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    const { passed, failed, skipped } = outcome
    lines.push(`${engine}: ${passed} passed, ${failed} failed, ${skipped} skipped in ${seconds} s`)
    add(sum, outcome)
  }
  for (const name of missing) lines.push(`${name}: not found, skipped the tests that need it`)
  for (const name of required) {
    const isKnown = name === 'postgres' || Object.hasOwn(PROGRAMS, name)
    if (isKnown && !missing.includes(name)) continue
    lines.push(
      isKnown ? `${name} is required but not found.` : `REQUIRE names an unknown program: ${name}`,
    )
    sum.failed += 1
  }
  if (!isDefault && !postgres && !needsPostgres)
    lines.push('PostgreSQL: not found, skipped its tests')
  if (stopping.signal.aborted) lines.push('The run was interrupted.')
  else if (sum.passed + sum.failed === 0) lines.push('No test ran.')
  if (sum.failures.length > 0) console.log(`\nFailures:\n\n${sum.failures.join('\n')}\n`)
  console.log(lines.join('\n'))
  console.log(`${sum.passed} passed, ${sum.failed} failed`)
  if (stopping.signal.aborted) return Number(process.exitCode)
  return sum.failed > 0 || sum.passed === 0 ? 1 : 0
}

/** Runs the files on one engine. An engine that does not start counts as one failure. */
async function runEngine(engine: Engine, files: string[]): Promise<Outcome> {
  const total = countTests(files)
  const minutes = Math.ceil((total * SECONDS_PER_TEST) / 60)
  console.log(
    `\nAbout ${total} tests in ${files.length} files on ${engine}, about ${minutes} minutes on two processors`,
  )
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

/** Runs the slow files first, then the batches of `batchFiles`, then the other files. */
async function runAll(engine: Engine, files: string[], env: NodeJS.ProcessEnv): Promise<Outcome> {
  const placeOf = (file: string) => {
    const index = LONG.findIndex((part) => file.startsWith(join(root, `${part}.`)))
    if (index >= 0) return index
    return files.includes(file) ? LONG.length + 1 : LONG.length
  }
  const batches = batchFiles(files)
  try {
    const inOrder = batches.files.toSorted((a, b) => placeOf(a) - placeOf(b))
    return await runFiles(engine, inOrder, env, countTests(files))
  } finally {
    batches.remove()
  }
}

async function makeTemplate(serverUrl: string): Promise<string> {
  const name = 'plaza_template'
  const databaseUrl = await createDatabase(serverUrl, name)
  const template = openDatabase({ databaseUrl, dataDir: '' })
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
 * Runs the files and counts their tests. Suites, files and tests with subtests never count as passed. They count as
 * failed when they fail without a failed subtest.
 */
function runFiles(
  engine: Engine,
  files: string[],
  env: NodeJS.ProcessEnv,
  total: number,
): Promise<Outcome> {
  const outcome = nothing()
  if (files.length === 0 || stopping.signal.aborted) return Promise.resolve(outcome)
  return new Promise((done, reject) => {
    const events = run({
      files,
      env,
      cwd: root,
      isolation: 'process',
      // Two more than the processors, because test files often wait for I/O.
      concurrency: availableParallelism() + 2,
      timeout: TEST_TIMEOUT_MS,
      execArgv: ['--import', `data:text/javascript,${encodeURIComponent(WATCHDOG)}`],
      signal: stopping.signal,
    })
    const failures = new Failures(events, root)
    const progress = new TestProgress(total)
    // node:test reports the subtests of a test before the test itself.
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
      if (isTest) progress.count()
    })
    events.on('test:fail', (data) => {
      const failedInside = hasTests(data) && ofSubtests(data)
      if (isLeftOut(data)) outcome.skipped += 1
      else if (!failedInside) {
        outcome.failed += 1
        outcome.failures.push(failures.describe(engine, data))
        progress.count()
        progress.fail(data)
      }
    })
    events.once('error', reject)
    events.once('end', () => {
      progress.end()
      done(outcome)
    })
    events.resume()
  })
}

function stop(exitCode: number): void {
  // A second signal exits immediately. PostgreSQL stops with this process.
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
