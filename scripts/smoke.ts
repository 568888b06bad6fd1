/**
 * Smoke test: starts Plaza as the README describes in an empty data directory, sends a few requests, runs
 * `plaza doctor` and stops it.
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
// The next port must be free too, because the games origin uses it.
const port = await freePort(1)
const directory = mkdtempSync(join(tmpdir(), 'plaza-smoke-'))
const { PATH, HOME } = process.env
const env = { PATH, HOME, DATA_DIR: directory, PORT: String(port) }
const base = `http://127.0.0.1:${port}`
// Starts npm in a new process group, so that all its processes can be killed when this process exits.
const npm = spawn('npm', ['start'], {
  cwd: root,
  env,
  detached: true,
  stdio: ['ignore', 'inherit', 'inherit'],
})
const ended = new Promise<number>((done, reject) => {
  npm.once('exit', (code, signal) => done(code ?? 128 + constants.signals[signal ?? 'SIGKILL']))
  npm.once('error', reject)
})
process.once('exit', () => {
  try {
    if (npm.pid) process.kill(-npm.pid, 'SIGKILL')
  } catch {
    // The process group has already exited.
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
    throw new Error(`GET /api/v1/feeds returned ${response.status}: ${body.slice(0, 500)}`)
  }
  console.log('smoke: the feed works')

  await untilPageIsServed()
  console.log('smoke: the web client is served')

  const doctor = spawnSync('npm', ['run', 'plaza', '--', 'doctor'], {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: 60_000,
  })
  if (doctor.status !== 0) throw new Error(`plaza doctor exited with ${doctor.status}`)

  const asked = performance.now()
  process.kill(serverOf(npm), 'SIGTERM')
  const code = await Promise.race([ended, sleep(STOP_LIMIT_MS, undefined, { ref: false })])
  if (code === undefined)
    throw new Error(`the server did not stop within ${STOP_LIMIT_MS} ms of SIGTERM`)
  if (code !== 0) throw new Error(`the server exited with ${code} after SIGTERM, expected 0`)
  console.log(`smoke: stopped cleanly after ${Math.round(performance.now() - asked)} ms`)
}

async function untilHealthy(): Promise<void> {
  const deadline = AbortSignal.timeout(START_LIMIT_MS)
  const exit: { code?: number } = {}
  void ended.then((code) => (exit.code = code))
  let last = 'no response'
  while (!deadline.aborted) {
    if (exit.code !== undefined) throw new Error(`npm start exited with ${exit.code}`)
    try {
      const { status } = await fetch(`${base}/api/health`, { signal: deadline })
      if (status === 200) return
      last = `GET /api/health returned ${status}`
    } catch {
      // The server does not listen yet.
    }
    await sleep(100)
  }
  throw new Error(`not healthy within ${START_LIMIT_MS} ms: ${last}`)
}

/**
 * Waits until the server sends the client's page. During the first build of the client the server returns 503 with a
 * page that reloads itself.
 */
async function untilPageIsServed(): Promise<void> {
  const deadline = AbortSignal.timeout(START_LIMIT_MS * 4)
  for (;;) {
    const home = await fetch(base, { headers: { accept: 'text/html' }, signal: deadline })
    const page = await home.text()
    if (home.status === 200 && page.includes('<div id="root">')) return
    if (home.status !== 503 || !page.includes('http-equiv="refresh"')) {
      throw new Error(`GET / returned ${home.status} without the web client`)
    }
    await sleep(500)
  }
}

/**
 * Returns the process id of the server. A signal to npm or the process group would kill npm's shell, and the exit code
 * of the server would be lost.
 */
function serverOf({ pid }: ChildProcess): number {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      // proc(5): the program's name in parentheses, then the state, the parent and the process group.
      const group = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[2]
      // The server has `bin/plaza.mjs` as a separate argument. The shell has the whole command in one
      // argument.
      const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0')
      if (Number(group) === pid && words.includes('bin/plaza.mjs')) return Number(name)
    } catch {
      // The process exited after it was listed.
    }
  }
  throw new Error('the server process was not found')
}
