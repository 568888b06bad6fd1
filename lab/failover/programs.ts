import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from '../../scripts/programs.ts'
import { listProcesses } from '../harness/processes.ts'

const PACKAGES = {
  etcd: 'etcd-server',
  patroni: 'patroni python3-etcd',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
}
export type Program = keyof typeof PACKAGES

export function findPrograms(): Record<Program, string> {
  const found = Object.keys(PACKAGES).map((name) => [name, findProgram(name)] as const)
  const missing = found.flatMap(([name, path]) => (path ? [] : [PACKAGES[name as Program]]))
  if (missing.length > 0) {
    throw new Error(
      `missing programs; run: apt-get install --no-install-recommends ${missing.join(' ')}`,
    )
  }
  return Object.fromEntries(found) as Record<Program, string>
}

/**
 * Shell script for a directory, its argument `$1`. The script waits until its standard input closes, as at the exit of
 * the parent process. Then it kills every process with the directory in its command line or environment, and removes
 * the directory. For the first three seconds, PostgreSQL gets SIGQUIT instead of SIGKILL, so that it can release its
 * shared memory. The directory's name is random, so the script kills no other processes.
 */
const KEEPER = `
trap '' HUP INT TERM
read -r _
tries=0
while [ "$tries" -lt 100 ]; do
  found=
  for process in /proc/[0-9]*; do
    pid="\${process#/proc/}"
    if [ "$pid" != "$$" ] && grep -qsaF "$1" "$process/cmdline" "$process/environ"; then
      found=1
      signal=KILL
      if grep -qs '^postgres$' "$process/comm" && [ "$tries" -lt 30 ]; then signal=QUIT; fi
      kill "-$signal" "$pid" 2>/dev/null
      kill -CONT "$pid" 2>/dev/null
    fi
  done
  if [ -z "$found" ]; then break; fi
  tries=$((tries + 1))
  sleep 0.1
done
rm -rf "$1"
`

/**
 * Returns a function that kills all processes started for `directory` and removes the directory. The same happens when
 * this process exits without calling the function.
 */
export function keep(directory: string): () => Promise<void> {
  const keeper = spawn('/bin/sh', ['-c', KEEPER, 'keeper', directory], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  keeper.stdin?.on('error', () => {})
  const ended = once(keeper, 'exit')
  return async () => {
    keeper.stdin?.end()
    await ended
  }
}

export interface Owner {
  uid: number
  gid: number
}

export function start(
  directory: string,
  name: string,
  [command, ...args]: [string, ...string[]],
  owner: Owner | undefined,
): ChildProcess {
  const log = openSync(join(directory, `${name}.log`), 'a')
  return spawn(command, args, {
    ...owner,
    cwd: directory,
    // The child gets a new process group, so that Ctrl-C reaches only this process, which then stops all
    // children.
    detached: true,
    stdio: ['ignore', log, log],
    env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', HOME: directory, CLUSTER: directory },
  })
}

/**
 * Returns the process ids of a PostgreSQL server, the postmaster first. Empty when the server does not run.
 */
export function postgresProcesses(dataDir: string): number[] {
  const first = Number(read(join(dataDir, 'postmaster.pid')).split('\n')[0])
  if (!first || !read(`/proc/${first}/comm`).startsWith('postgres')) return []
  return [first, ...listProcesses().flatMap(({ pid, parent }) => (parent === first ? [pid] : []))]
}

export function signal(pids: number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch (error) {
      if ((error as { code?: string }).code !== 'ESRCH') throw error
    }
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
