/** Plaza as an operator runs it: a child process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
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

/** A process that lives until it is told to end. */
interface Living {
  child: ChildProcess
  out(): string
  /** Milliseconds from its start until it was ready. */
  startedIn: number
  /** Resolves with the exit code once the process is gone. */
  ended: Promise<number | null>
}

export interface Serving extends Living {
  url: string
}

/** Starts a server, on any free port unless told which, and waits until it is healthy. */
export async function serve(
  settings: Record<string, string>,
  args: readonly string[] = [],
): Promise<Serving> {
  let url = ''
  const server = await begin(['serve', ...args], { PORT: '0', ...settings }, async (said) => {
    // Its own words: another server could be healthy at an address that was only meant for it.
    url = / serves at (\S+), data in /.exec(said)?.[1] ?? ''
    if (!url) return false
    return fetch(`${url}/api/health`).then(
      (answer) => answer.ok,
      () => false,
    )
  })
  return { ...server, url }
}

/** Starts a process that does background work alone, and waits until it says so. */
export function work(settings: Record<string, string>): Promise<Living> {
  return begin(['work'], settings, (said) => said.includes(' works, data in '))
}

/** Waits until the process is ready, by what it has said so far. */
async function begin(
  args: readonly string[],
  settings: Record<string, string>,
  isReady: (said: string) => boolean | Promise<boolean>,
): Promise<Living> {
  const begun = performance.now()
  const child = start(args, settings)
  const out = collect(child)
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const name = `plaza ${args.join(' ')}`
  while (!(await isReady(out()))) {
    if (child.exitCode !== null || child.signalCode !== null) {
      await ended
      throw new Error(`${name} ended at once:\n${out()}`)
    }
    if (performance.now() - begun > 60_000) throw new Error(`${name} did not start:\n${out()}`)
    await new Promise((done) => setTimeout(done, 10))
  }
  return { child, out, startedIn: performance.now() - begun, ended }
}

function collect(child: ChildProcess): () => string {
  let text = ''
  child.stdout?.on('data', (data: Buffer) => (text += data.toString()))
  child.stderr?.on('data', (data: Buffer) => (text += data.toString()))
  return () => text
}
