import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { after } from 'node:test'

const ENTRY = resolve(import.meta.dirname, '../bin/plaza.mjs')
const running = new Set<ChildProcess>()

// Kills the children of a failed test, because they would keep the test process alive. Other programs that use
// this module stop their own children.
if (process.env['NODE_TEST_CONTEXT']) {
  after(() => {
    for (const child of running) child.kill('SIGKILL')
  })
}

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

export function childEnv(settings: Record<string, string>): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR, NODE_COMPILE_CACHE } = process.env
  return {
    PATH,
    HOME,
    ...(TMPDIR && { TMPDIR }),
    ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
    // Most tests do not use the web client, so the server does not build it.
    WEB: 'off',
    ...settings,
  }
}

export async function plaza(args: string[], settings: Record<string, string>): Promise<Outcome> {
  const child = start(args, settings)
  const out = collect(child)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out: out() }
}

interface Living {
  child: ChildProcess
  out(): string
  /** Milliseconds from the start until the process was ready. */
  startedIn: number
  /** Resolves to the exit code, or null when a signal ended the process. */
  ended: Promise<number | null>
}

export interface Serving extends Living {
  url: string
}

/** Starts a server and waits until it is healthy. The server listens on a free port unless the settings name one. */
export async function serve(
  settings: Record<string, string>,
  args: readonly string[] = [],
): Promise<Serving> {
  let url = ''
  const server = await begin(['serve', ...args], { PORT: '0', ...settings }, async (said) => {
    // Reads the URL from the output of the started server, because another server may be healthy at the expected
    // address.
    url = / serves at (\S+), data in /.exec(said)?.[1] ?? ''
    if (!url) return false
    return fetch(`${url}/api/health`).then(
      (answer) => answer.ok,
      () => false,
    )
  })
  return { ...server, url }
}

export function work(settings: Record<string, string>): Promise<Living> {
  return begin(['work'], settings, (said) => said.includes(' does background work, data in '))
}

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
      throw new Error(`${name} exited before it was ready:\n${out()}`)
    }
    if (performance.now() - begun > 60_000)
      throw new Error(`${name} was not ready within 60 seconds:\n${out()}`)
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
