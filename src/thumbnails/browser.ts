/**
 * Runs games, which are untrusted programs, in a browser. The browser gets none of the server's environment
 * variables, has an empty profile, and can reach only one origin. If the server runs as root, the browser runs
 * as the user `nobody`.
 */
import { spawn } from 'node:child_process'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { currentMeter } from '../jobs/meter.ts'
import { killGroup, runProgram } from '../jobs/program.ts'
import { DevTools } from './devtools.ts'

export interface Browser {
  command: string
  searchPath: string
  /** True when the browser starts with its own sandbox, false when it does not. Undefined until the first run. */
  isSandboxed: boolean | undefined
}

const VERSION_SECONDS = 20
const SECONDS = 45
const CLOSE_MS = 2000
/** Maximum bytes of data memory for each process of the browser. */
const MEMORY = 2 ** 31
const NOBODY = 65_534

/**
 * Returns the browser that `command` starts. Returns undefined when the browser is disabled, or when `command
 * --version` fails.
 */
export async function findBrowser(
  command: string | undefined,
  { searchPath, log }: { searchPath: string; log: Logger },
): Promise<Browser | undefined> {
  const as = 'game thumbnails are made from their art, or drawn'
  if (command === undefined) {
    log.info(`Chromium disabled: ${as}`)
    return undefined
  }
  const { code, out } = await runProgram(command, ['--version'], {
    signal: AbortSignal.timeout(VERSION_SECONDS * 1000),
    limits: { seconds: VERSION_SECONDS },
    searchPath,
  }).catch(() => ({ code: null, out: '' }))
  if (code !== 0) {
    log.warn({ command }, `Chromium not usable: ${as}`)
    return undefined
  }
  log.info({ version: out.trim() }, 'Chromium found: game thumbnails are taken from running games')
  return { command, searchPath, isSandboxed: undefined }
}

/**
 * Starts a browser that can reach only `origin`, and returns the result of `use`. Finally ends the browser and deletes
 * its files. Returns undefined when the browser would have to run without a sandbox as the server's user.
 */
export async function withBrowser<T>(
  browser: Browser,
  origin: string,
  signal: AbortSignal,
  use: (tools: DevTools) => Promise<T>,
): Promise<T | undefined> {
  const isRoot = process.getuid?.() === 0
  if (browser.isSandboxed !== false) {
    try {
      const result = await runOnce(browser, { origin, signal, isRoot, sandbox: true }, use)
      browser.isSandboxed = true
      return result
    } catch (error) {
      if (!(error instanceof NotStarted) || browser.isSandboxed) throw error
      browser.isSandboxed = false
    }
  }
  // Without the sandbox, running as `nobody` limits what malicious code can access.
  return isRoot ? runOnce(browser, { origin, signal, isRoot, sandbox: false }, use) : undefined
}

class NotStarted extends Error {
  override name = 'NotStarted'
}

interface Run {
  origin: string
  signal: AbortSignal
  isRoot: boolean
  sandbox: boolean
}

async function runOnce<T>(
  { command, searchPath }: Browser,
  { origin, signal, isRoot, sandbox }: Run,
  use: (tools: DevTools) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  // The folder is outside DATA_DIR, because the browser's user cannot read DATA_DIR.
  const folder = await mkdtemp(join(tmpdir(), 'plaza-browser-'))
  if (isRoot) await chown(folder, NOBODY, NOBODY)
  const args = [...(sandbox ? [] : ['--no-sandbox']), ...argumentsFor(origin, folder)]
  const limited = [
    '-c',
    `command -v prlimit >/dev/null && exec prlimit --data=${MEMORY} --core=0 "$@"; exec "$@"`,
  ]
  const child = spawn('/bin/sh', [...limited, 'limited', command, ...args], {
    cwd: folder,
    env: { PATH: searchPath, HOME: folder, TMPDIR: folder, LANG: 'C.UTF-8' },
    // Creates a process group, so that all processes of the browser can be killed together. If the server dies,
    // the pipes close and the browser exits.
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  })
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  })
  const endMeter = child.pid === undefined ? undefined : currentMeter.getStore()?.watch(child.pid)
  let isStopped = false
  const stop = () => {
    isStopped = true
    killGroup(child)
  }
  const timer = setTimeout(stop, SECONDS * 1000)
  signal.addEventListener('abort', stop)
  const tools = new DevTools(child)
  try {
    await tools.send('Browser.getVersion').catch((error: unknown) => {
      throw isStopped ? error : new NotStarted('the browser did not start')
    })
    return await use(tools)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    // First asks the browser to exit, because killing it may leave some of its processes. The wait is limited, because
    // a game that controls the browser can prevent the exit.
    void tools.close()
    await Promise.race([ended, sleep(CLOSE_MS, undefined, { ref: false })])
    killGroup(child)
    await ended
    endMeter?.()
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    signal.throwIfAborted()
  }
}

function argumentsFor(origin: string, folder: string): string[] {
  const { protocol, hostname, port } = new URL(origin)
  // Without a port, the bypass rule would allow all ports of the host.
  const host = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
  return [
    '--headless',
    '--remote-debugging-pipe',
    `--user-data-dir=${join(folder, 'profile')}`,
    // The next three options block all hosts except the games origin: the proxy does not exist, and other names
    // do not resolve.
    '--proxy-server=http://127.0.0.1:1',
    `--proxy-bypass-list=<-loopback>;${host}`,
    `--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE ${hostname}`,
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--disable-quic',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-default-apps',
    '--disable-extensions',
    '--disable-sync',
    '--disable-breakpad',
    '--disable-dev-shm-usage',
    '--no-first-run',
    '--no-default-browser-check',
    '--no-pings',
    '--mute-audio',
    '--hide-scrollbars',
    '--autoplay-policy=no-user-gesture-required',
    // Renders in software, because servers rarely have a graphics card.
    '--use-angle=swiftshader',
    '--disable-gpu-watchdog',
    '--enable-unsafe-swiftshader',
    'about:blank',
  ]
}
