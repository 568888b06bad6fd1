import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { currentMeter } from './meter.ts'

export interface Limits {
  seconds: number
  /** Maximum processor seconds of each process, for all its threads together. */
  cpuSeconds?: number
  /** Maximum bytes of virtual memory of each process. Ignored where the system cannot limit it. */
  memoryBytes?: number
  /** Maximum bytes of each file that the program writes. */
  fileBytes?: number
}

export interface ProgramOptions {
  signal: AbortSignal
  limits: Limits
  searchPath: string
  cwd?: string
  /** Called with standard output as it arrives. Without this callback, the output is collected in `out`. */
  onOutput?: (text: string) => void
}

export interface ProgramOutcome {
  /** Exit code, or null when the program was stopped. */
  code: number | null
  /**
   * Cause of a forced end. `time` or `output`: the program exceeded that limit. `signal`: another signal ended
   * it. Null when it exited by itself.
   */
  stoppedBy: 'time' | 'output' | 'signal' | null
  out: string
  /** Last 4 KiB of stderr. */
  errors: string
}

const OUT_MAX = 1_048_576
const ERRORS_MAX = 4096
/**
 * Exit codes above this report a signal: a shell exits with 128 plus the signal's number. ffmpeg exits with 255
 * after SIGTERM.
 */
const SIGNALLED = 128
/** Niceness of programs that do not belong to a job. */
const NICE = 10

/**
 * Shell script that sets the limits, starts the program and waits for it.
 * - Standard input is a pipe from the server. When the server dies, the pipe closes and the script kills the
 *   program.
 * - At the end, the script writes the program's processor time to file descriptor 3.
 */
const KEEPER = `
cpu=$1 memory=$2 file=$3 nice=$4; shift 4
ulimit -c 0
[ "$cpu" = 0 ] || ulimit -t "$cpu" || exit 125
[ "$memory" = 0 ] || ulimit -v "$memory" 2>/dev/null || :
[ "$file" = 0 ] || ulimit -f "$file" || exit 125
exec 4<&0
nice -n "$nice" "$@" </dev/null 3>&- 4<&- &
program=$!
{ cat <&4; kill -KILL "$program"; } >/dev/null 2>&1 3>&- &
wait "$program"
code=$?
times >&3
exit "$code"
`

/**
 * Runs an external program with resource limits and without the server's environment variables. The program
 * ends when the server does, even when the server is killed. The promise settles after the whole process group
 * has been killed.
 *
 * Errors: the signal's reason on abort; an Error when no process can be created.
 */
export async function runProgram(
  command: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<ProgramOutcome> {
  const { signal, limits, searchPath, cwd, onOutput } = options
  signal.throwIfAborted()
  const meter = currentMeter.getStore()
  const settings = [...toArgs(limits), String(meter?.nice ?? NICE)]
  const child = spawn('/bin/sh', ['-c', KEEPER, 'keeper', ...settings, command, ...args], {
    // A separate process group can be killed as a whole, and does not receive Ctrl-C from the terminal.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    env: { PATH: searchPath, LANG: 'C.UTF-8' },
    ...(cwd && { cwd }),
  })
  // A process that could not be created only emits `error` and has no streams.
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => killGroup(child))
    child.once('close', resolve)
  })
  if (!created(child)) {
    await ended
    throw new Error(`${command} could not be started`)
  }
  const endMeter = child.pid === undefined ? undefined : meter?.watch(child.pid)
  let times = ''
  const report = child.stdio[3] as Readable
  report.setEncoding('utf8').on('data', (text: string) => (times += text))
  let stoppedBy: ProgramOutcome['stoppedBy'] = null
  const stop = (reason: 'time' | 'output') => {
    stoppedBy ??= reason
    killGroup(child)
  }
  const timer = setTimeout(stop, limits.seconds * 1000, 'time')
  const abort = () => killGroup(child)
  signal.addEventListener('abort', abort)
  let out = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (onOutput) onOutput(text)
    else if (out.length + text.length > OUT_MAX) stop('output')
    else out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-ERRORS_MAX)
  })
  // Writing to an ended program causes EPIPE.
  child.stdin.on('error', () => {})
  try {
    const code = await ended
    signal.throwIfAborted()
    if (stoppedBy === null && (code === null || code > SIGNALLED)) stoppedBy = 'signal'
    return { code: stoppedBy === null ? code : null, stoppedBy, out, errors }
  } finally {
    endMeter?.(toMilliseconds(times))
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}

/** False when the pipes are missing, for example because no file descriptor is free. */
function created(child: ChildProcess): child is ChildProcessWithoutNullStreams {
  return Boolean(child.stdin && child.stdout && child.stderr && child.stdio[3])
}

/** Sums the output of the shell's `times`, such as `0m1.250000s`. Returns undefined for incomplete output. */
function toMilliseconds(times: string): number | undefined {
  const parts = [...times.matchAll(/(\d+)m([\d.]+)s/g)]
  if (parts.length < 4) return undefined
  return parts.reduce((sum, [, minutes, seconds]) => {
    return sum + Number(minutes) * 60_000 + Number(seconds) * 1000
  }, 0)
}

/** Returns the limits in the units of `ulimit`: seconds, KiB and blocks of 512 bytes. 0 means no limit. */
function toArgs({ cpuSeconds = 0, memoryBytes = 0, fileBytes = 0 }: Limits): string[] {
  return [cpuSeconds, memoryBytes / 1024, fileBytes / 512].map((limit) => String(Math.ceil(limit)))
}

export function killGroup(child: ChildProcess): void {
  child.stdin?.destroy()
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The group has already ended.
  }
}
