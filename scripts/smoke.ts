/**
 * Starts Plaza as the README says, in an empty data directory, and uses it once: it must come up,
 * answer, find itself healthy and stop in order when it is asked to.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './postgres.ts'

const START_LIMIT_MS = 30_000
const STOP_LIMIT_MS = 10_000

const root = resolve(import.meta.dirname, '..')
// Games are served on the port after it.
const port = await freePort(1)
const directory = mkdtempSync(join(tmpdir(), 'plaza-smoke-'))
const { PATH, HOME } = process.env
const env = { PATH, HOME, DATA_DIR: directory, PORT: String(port) }
const base = `http://127.0.0.1:${port}`
// A process group of its own, so that nothing of it outlives this process.
const npm = spawn('npm', ['start'], {
  cwd: root,
  env,
  detached: true,
  stdio: ['ignore', 'inherit', 'inherit'],
})
const ended = new Promise<number>((settle, reject) => {
  npm.once('exit', (code, signal) => settle(code ?? 128 + constants.signals[signal ?? 'SIGKILL']))
  npm.once('error', reject)
})
process.once('exit', () => {
  try {
    if (npm.pid) process.kill(-npm.pid, 'SIGKILL')
  } catch {
    // The group has ended.
  }
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => process.exit(128 + constants.signals[signal]))
}

try {
  await useOnce()
  console.log('smoke: passed')
  process.exit(0)
} catch (error) {
  console.error(`smoke: failed: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}

async function useOnce(): Promise<void> {
  const started = performance.now()
  await untilHealthy()
  console.log(`smoke: healthy after ${Math.round(performance.now() - started)} ms`)

  const response = await fetch(`${base}/api/v1/feeds`, { signal: AbortSignal.timeout(10_000) })
  const body = await response.text()
  if (!body.includes('"success":true')) {
    throw new Error(`GET /api/v1/feeds answered ${response.status}: ${body.slice(0, 500)}`)
  }
  console.log('smoke: the feed answers')

  await untilPageIsServed()
  console.log('smoke: the web client is there')

  const doctor = spawnSync('npm', ['run', 'plaza', '--', 'doctor'], {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: 60_000,
  })
  if (doctor.status !== 0) throw new Error(`plaza doctor ended with ${doctor.status}`)

  const asked = performance.now()
  process.kill(serverOf(npm), 'SIGTERM')
  const code = await Promise.race([ended, sleep(STOP_LIMIT_MS, undefined, { ref: false })])
  if (code === undefined) throw new Error(`it did not stop within ${STOP_LIMIT_MS} ms of SIGTERM`)
  if (code !== 0) throw new Error(`it ended with ${code} after SIGTERM, not with 0`)
  console.log(`smoke: stopped in order after ${Math.round(performance.now() - asked)} ms`)
}

async function untilHealthy(): Promise<void> {
  const deadline = AbortSignal.timeout(START_LIMIT_MS)
  const exit: { code?: number } = {}
  void ended.then((code) => (exit.code = code))
  let last = 'nothing answered'
  while (!deadline.aborted) {
    if (exit.code !== undefined) throw new Error(`npm start ended with ${exit.code}`)
    try {
      const { status } = await fetch(`${base}/api/health`, { signal: deadline })
      if (status === 200) return
      last = `GET /api/health answered ${status}`
    } catch {
      // It does not listen yet.
    }
    await sleep(100)
  }
  throw new Error(`not healthy within ${START_LIMIT_MS} ms: ${last}`)
}

/** The first start builds the client; until then a page that reloads itself is served with 503. */
async function untilPageIsServed(): Promise<void> {
  const deadline = AbortSignal.timeout(START_LIMIT_MS * 4)
  for (;;) {
    const home = await fetch(base, { headers: { accept: 'text/html' }, signal: deadline })
    const page = await home.text()
    if (home.status === 200 && page.includes('<div id="root">')) return
    if (home.status !== 503 || !page.includes('http-equiv="refresh"')) {
      throw new Error(`GET / answered ${home.status}, not with the web client`)
    }
    await sleep(500)
  }
}

/**
 * The server's own process id. A signal to npm or to the whole group ends npm's shell, and the
 * server's exit code would be lost with it; left alone, both end with that code.
 */
function serverOf({ pid }: ChildProcess): number {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      // After the program's name in brackets: state, parent, process group.
      const group = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[2]
      // Each word of the command line is one string here; the shell's own holds all in one word.
      const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0')
      if (Number(group) === pid && words.includes('bin/plaza.mjs')) return Number(name)
    } catch {
      // It ended meanwhile.
    }
  }
  throw new Error('the process of the server was not found')
}
