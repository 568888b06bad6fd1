import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../scripts/postgres.ts'

export const SECRETS = {
  TOKEN_SECRET: 'bench-token-secret-bench-token-secret',
  ENCRYPTION_KEY: '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
  CAPTCHA_SECRET: 'bench-captcha-secret-bench-captcha-secret',
}

export const ROOT = join(import.meta.dirname, '..')
const READY_MS = 30_000

export interface Server {
  url: string
  /** Returns the CPU time used so far in milliseconds, or undefined where the system does not report it. */
  cpuTime(): number | undefined
  stop(): Promise<void>
}

export interface PlazaServer extends Server {
  pid: number
}

/**
 * Starts a program of this repository and waits for its first output, which it prints when it listens. The port is the
 * program's last argument.
 */
export async function startProgram(file: string, ...args: string[]): Promise<Server> {
  const port = await freePort()
  return start(port, [join(ROOT, file), ...args, String(port)], {})
}

/**
 * Starts the version in folder `from` as `npm start` does. With `profileDir`, the server writes a CPU profile into
 * that folder when it stops.
 */
export async function startPlaza(
  settings: Record<string, string>,
  profileDir?: string,
  from = ROOT,
): Promise<PlazaServer> {
  const port = await freePort(1)
  const flags = profileDir ? ['--cpu-prof', `--cpu-prof-dir=${profileDir}`] : []
  // Disables features that would disturb the measurement. Logs only warnings, because `start` takes the first output as
  // a sign that the server is ready.
  const quiet = {
    FFMPEG: 'off',
    CHROMIUM: 'off',
    WEB: 'off',
    LOG_LEVEL: 'warn',
    RATE_LIMITS: 'off',
  }
  const env = { HOST: '127.0.0.1', PORT: String(port), ...quiet, ...SECRETS, ...settings }
  return start(port, [...flags, ...startCommand(from)], env, from)
}

function startCommand(from: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'))
  const [, ...args] = scripts.start.split(' ')
  return args
}

/**
 * Restricts this process and its future children to the processors in `list`, such as `0` or `1-3`. Without
 * `taskset` it only prints a warning.
 */
export function pin(list: string): void {
  try {
    execFileSync('taskset', ['-acp', list, String(process.pid)], { stdio: 'ignore' })
  } catch {
    console.error('taskset failed: servers and load generator run on any processor')
  }
}

async function start(
  port: number,
  args: string[],
  env: Record<string, string>,
  cwd = ROOT,
): Promise<PlazaServer> {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, args, {
    cwd,
    env: { PATH, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const kill = () => child.kill('SIGKILL')
  process.on('exit', kill)
  const stop = async () => {
    process.off('exit', kill)
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  await ready(child)
  const pid = Number(child.pid)
  return { url: `http://127.0.0.1:${port}`, pid, cpuTime: () => cpuTimeOf(child.pid), stop }
}

/**
 * Returns the CPU time of a process in milliseconds, or undefined if `/proc` does not contain the process. Linux
 * counts CPU time in hundredths of a second (proc_pid_stat(5): utime and stime).
 */
function cpuTimeOf(pid: number | undefined): number | undefined {
  try {
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    const [utime, stime] = fields.split(' ').slice(11, 13)
    return (Number(utime) + Number(stime)) * 10
  } catch {
    return undefined
  }
}

async function ready(child: ChildProcess): Promise<void> {
  const said = once(child.stdout as NodeJS.ReadableStream, 'data', {
    signal: AbortSignal.timeout(READY_MS),
  })
  const ended = once(child, 'exit').then(() => {
    throw new Error(`a server exited before it was ready: ${child.spawnargs.join(' ')}`)
  })
  await Promise.race([said, ended])
  ended.catch(() => {})
  child.stdout?.resume()
}
