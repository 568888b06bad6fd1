/**
 * Runs a program of the machine for a job: with limits, with nothing of this server's environment,
 * and not for longer than the server lives, even where that is killed.
 */
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { currentMeter } from './meter.ts'

/** What a program may use. */
export interface Limits {
  /** Of wall-clock time. */
  seconds: number
  /** Of processor time, over all of its threads. */
  cpuSeconds?: number
  /** Of its address space. */
  memoryBytes?: number
  /** Of each file that it writes. */
  fileBytes?: number
}

export interface ProgramOptions {
  signal: AbortSignal
  limits: Limits
  /** Where programs are looked for, as `PATH` has it. */
  searchPath: string
  cwd?: string
  /** Gets the standard output as it comes; otherwise the outcome has its start. */
  onOutput?: (text: string) => void
}

export interface ProgramOutcome {
  /** 0 where it says that all went well; null where it did not end by itself. */
  code: number | null
  /** `time` and `output`: stopped, for it took or said too much; `signal`: something else stopped it. */
  stoppedBy: 'time' | 'output' | 'signal' | null
  out: string
  /** The end of what it complained about. */
  errors: string
}

const OUT_MAX = 1_048_576
const ERRORS_MAX = 4096
/** Exit codes beyond this tell of a signal, as a shell has it; ffmpeg says 255 when it was asked to end. */
const SIGNALLED = 128
/** Niceness of programs outside jobs. */
const NICE = 10

/**
 * Sets the limits and waits for the program. Its standard input is a pipe whose other end this
 * server holds: when the server dies, the pipe ends, and so does the program. At the end it writes the
 * processor time of the program to the third pipe, unless it is killed too.
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
 * Runs a program to its end. Rejects with the signal's reason once that is aborted, and where the
 * program cannot be started. Nothing of it runs any more when this settles.
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
    // A group of its own: a terminal's Ctrl-C does not reach it, and it can be killed as a whole.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    env: { PATH: searchPath, LANG: 'C.UTF-8' },
    ...(cwd && { cwd }),
  })
  // Before all else: a process that could not be made has no streams, only this to tell.
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => killGroup(child))
    child.once('close', resolve)
  })
  if (!isMade(child)) {
    await ended
    throw new Error(`${command} was not started`)
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
  // The pipe to a program that has ended breaks, which is nobody's concern.
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

/** False where there was no file descriptor left for its pipes. */
function isMade(child: ChildProcess): child is ChildProcessWithoutNullStreams {
  return Boolean(child.stdin && child.stdout && child.stderr && child.stdio[3])
}

/** Sum of the times that the shell's `times` prints, such as `0m1.250000s`. Undefined without output. */
function toMilliseconds(times: string): number | undefined {
  const parts = [...times.matchAll(/(\d+)m([\d.]+)s/g)]
  if (parts.length < 4) return undefined
  return parts.reduce((sum, [, minutes, seconds]) => {
    return sum + Number(minutes) * 60_000 + Number(seconds) * 1000
  }, 0)
}

/** In the units of `ulimit`: seconds, KiB and blocks of 512 bytes; 0 for none. */
function toArgs({ cpuSeconds = 0, memoryBytes = 0, fileBytes = 0 }: Limits): string[] {
  return [cpuSeconds, memoryBytes / 1024, fileBytes / 512].map((limit) => String(Math.ceil(limit)))
}

/** Ends a process that leads a group of its own, and all that it started. */
export function killGroup(child: ChildProcess): void {
  child.stdin?.destroy()
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has gone.
  }
}
