/**
 * The browser of the machine, for pictures of running games. A game is a stranger's program, so the
 * browser is a process of its own that knows nothing of this server: without its environment, as
 * nobody where this server is root, with an empty profile, and with one origin in reach.
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
  /** Where it is looked for. */
  searchPath: string
  /** Whether its own sandbox holds on this machine; undefined until it was tried. */
  isSandboxed: boolean | undefined
}

const VERSION_SECONDS = 20
/** Of one browser, from its start to its end. */
const SECONDS = 45
/** Milliseconds that it gets to end by itself. */
const CLOSE_MS = 2000
/** Bytes of memory of its own, for each of its processes. */
const MEMORY = 2 ** 31
/** The user without rights, on every Linux. */
const NOBODY = 65_534

/**
 * Looks for the browser; one line of the log tells what was found. Undefined where there is none.
 */
export async function findBrowser(
  command: string | undefined,
  { searchPath, log }: { searchPath: string; log: Logger },
): Promise<Browser | undefined> {
  const as = 'thumbnails of games are their own art, or drawn'
  if (command === undefined) {
    log.info(`Chromium is switched off: ${as}`)
    return undefined
  }
  const { code, out } = await runProgram(command, ['--version'], {
    signal: AbortSignal.timeout(VERSION_SECONDS * 1000),
    limits: { seconds: VERSION_SECONDS },
    searchPath,
  }).catch(() => ({ code: null, out: '' }))
  if (code !== 0) {
    log.warn({ command }, `Chromium is not usable: ${as}`)
    return undefined
  }
  log.info({ version: out.trim() }, 'Chromium is there: thumbnails of games are taken from them')
  return { command, searchPath, isSandboxed: undefined }
}

/**
 * Lets `use` work with a browser that reaches one origin alone; nothing of it runs any more, and
 * nothing of it is left on the disk, when this settles. Undefined where the browser would have to
 * run a game with all that this server may do, because its sandbox does not work here.
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
  // As nobody a game that broke out of the browser has next to nothing.
  return isRoot ? runOnce(browser, { origin, signal, isRoot, sandbox: false }, use) : undefined
}

/** It ended by itself before it said anything. */
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
  // Not below DATA_DIR, which is closed to others: the browser is another user.
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
    // A group of its own, to be killed as a whole. It ends by itself when the pipes do.
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
    // Asked first, it sees its own processes off; those that are killed alone stay with the system.
    // A game may have made it its own: it need not answer.
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
  // A URL has none where it is the usual one, and a rule without one is about every port.
  const host = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
  return [
    '--headless',
    '--remote-debugging-pipe',
    `--user-data-dir=${join(folder, 'profile')}`,
    // All but the games origin goes through a proxy that is not there, or to a name that is none.
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
    // Drawn by the processor: servers have nothing else.
    '--use-angle=swiftshader',
    '--disable-gpu-watchdog',
    '--enable-unsafe-swiftshader',
    'about:blank',
  ]
}
