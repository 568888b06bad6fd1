/** Plaza as an operator runs it: a child process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { after } from 'node:test'

const ENTRY = resolve(import.meta.dirname, '../bin/plaza.mjs')
/** What was started and has not ended. */
const running = new Set<ChildProcess>()

// Where a test fails before it ends what it started, that would keep the file of tests open. Other
// programs than tests end what they start.
if (process.env['NODE_TEST_CONTEXT']) {
  after(() => {
    for (const child of running) child.kill('SIGKILL')
  })
}

/** A child that is gone when the tests of the file are over. */
function start(args: readonly string[], settings: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, [ENTRY, ...args], { env: childEnv(settings) })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

export interface Outcome {
  code: number | null
  out: string
}

/** The environment of a child: of this process only what every program needs. */
export function childEnv(settings: Record<string, string>): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR, NODE_COMPILE_CACHE } = process.env
  return {
    PATH,
    HOME,
    ...(TMPDIR && { TMPDIR }),
    ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
    // Only tests of the client wait for it.
    WEB: 'off',
    ...settings,
  }
}

/** Runs a command to its end. */
export async function plaza(args: string[], settings: Record<string, string>): Promise<Outcome> {
  const child = start(args, settings)
  const out = collect(child)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out: out() }
}

export interface Serving {
  url: string
  child: ChildProcess
  out(): string
  /** Milliseconds from the start of the process to its first healthy answer. */
  startedIn: number
  /** Resolves with the exit code once the process is gone. */
  ended: Promise<number | null>
}

/** Starts a server and waits until it is healthy; on another port where somebody was quicker. */
export async function serve(
  settings: Record<string, string>,
  args: readonly string[] = [],
): Promise<Serving> {
  for (let attempt = 1; ; attempt++) {
    const server = await serveOn(settings['PORT'] ?? String(await freePort()), settings, args)
    if (typeof server !== 'string') return server
    const isTaken = server.includes('EADDRINUSE') && settings['PORT'] === undefined
    if (!isTaken || attempt === 5) throw new Error(`the server ended at once:\n${server}`)
  }
}

/** The server, or what it said before it ended. */
async function serveOn(
  port: string,
  settings: Record<string, string>,
  args: readonly string[],
): Promise<Serving | string> {
  const begun = performance.now()
  const child = start(['serve', ...args], { ...settings, PORT: port })
  const out = collect(child)
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const url = `http://127.0.0.1:${port}`
  for (;;) {
    const healthy = await fetch(`${url}/api/health`).then(
      (answer) => answer.ok,
      () => false,
    )
    // Then it was another that answered, if one did.
    if (child.exitCode !== null) {
      await ended
      return out()
    }
    if (healthy) return { url, child, out, startedIn: performance.now() - begun, ended }
    if (performance.now() - begun > 60_000) throw new Error(`the server did not start:\n${out()}`)
    await new Promise((done) => setTimeout(done, 10))
  }
}

/** Starts a process that does background work alone, and waits until it says so. */
export async function work(settings: Record<string, string>): Promise<Omit<Serving, 'url'>> {
  const begun = performance.now()
  const child = start(['work'], settings)
  const out = collect(child)
  const ended = once(child, 'close').then(([code]) => code as number | null)
  while (!out().includes(' works, data in ')) {
    if (child.exitCode !== null) throw new Error(`the worker ended at once:\n${out()}`)
    if (performance.now() - begun > 60_000) throw new Error(`the worker did not start:\n${out()}`)
    await new Promise((done) => setTimeout(done, 10))
  }
  return { child, out, startedIn: performance.now() - begun, ended }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

function collect(child: ChildProcess): () => string {
  let text = ''
  child.stdout?.on('data', (data: Buffer) => (text += data.toString()))
  child.stderr?.on('data', (data: Buffer) => (text += data.toString()))
  return () => text
}
