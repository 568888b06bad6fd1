import { spawn } from 'node:child_process'
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, unprivilegedUser } from './postgres.ts'
import { findProgram } from './programs.ts'

export interface PrivatePgbouncer {
  through(databaseUrl: string): string
  stop(): Promise<void>
}

/** Shell script that runs PgBouncer until the script's standard input closes, as at the exit of the parent process. */
const KEEPER = `
"$PROGRAM" "$DIR/pgbouncer.ini" 2>"$DIR/log" &
trap 'kill -TERM $! 2>/dev/null; wait $!' EXIT
trap 'exit 1' HUP INT TERM
sleep 0.1
kill -0 $! && read -r _
`

export const findPgbouncer = () => findProgram('pgbouncer')

/**
 * Starts a private PgBouncer in transaction mode. `connections`: maximum number of connections to each database. Every
 * user of this machine can connect. Throws when PgBouncer is not installed or does not start.
 */
export async function startPgbouncer(
  serverUrl: string,
  connections: number,
): Promise<PrivatePgbouncer> {
  const program = findPgbouncer()
  if (!program) throw new Error('PgBouncer was not found')
  const { hostname, port, username } = new URL(serverUrl)
  const owner = unprivilegedUser()
  const directory = mkdtempSync(join(tmpdir(), 'plaza-pgbouncer-'))
  const listenPort = await freePort()
  const ini = [
    '[databases]',
    `* = host=${hostname} port=${port} user=${username}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${listenPort}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    `default_pool_size = ${connections}`,
    'max_client_conn = 1000',
  ]
  writeFileSync(join(directory, 'pgbouncer.ini'), ini.join('\n'))
  if (owner) chownSync(directory, owner.uid, owner.gid)
  const keeper = spawn('/bin/sh', ['-c', KEEPER], {
    ...owner,
    cwd: directory,
    detached: true,
    env: { PATH: process.env.PATH, PROGRAM: program, DIR: directory },
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const ended = new Promise<void>((resolve) => keeper.once('exit', () => resolve()))
  while (!(await isListening(listenPort))) {
    if (keeper.exitCode !== null) {
      throw new Error(`PgBouncer exited: ${readFileSync(join(directory, 'log'), 'utf8')}`)
    }
    await sleep(20)
  }
  return {
    through(databaseUrl) {
      const url = new URL(databaseUrl)
      url.port = String(listenPort)
      url.searchParams.set('pgbouncer', 'true')
      return url.href
    },
    async stop() {
      keeper.stdin?.end()
      await ended
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
