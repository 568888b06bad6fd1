import { spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, globSync, mkdtempSync, realpathSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import pg from 'pg'

export interface PostgresInstallation {
  bin: string
  version: string
}

export interface PrivatePostgres {
  /** URL of the `postgres` database for a superuser. */
  url: string
  /** Process id of the running server. */
  pid: number
  /** Stops the server until `resume`. INT shuts down cleanly, QUIT skips the checkpoint, and KILL simulates a crash. */
  interrupt(signal: 'INT' | 'QUIT' | 'KILL'): Promise<void>
  resume(): Promise<void>
  /** Stops the server and removes its files. */
  stop(): Promise<void>
}

/** Settings of a server that survives a power loss. */
export const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }

const UNSAFE_DEFAULTS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '500',
}

/** Maximum characters of a directory path, because the system limits the length of socket paths. */
const LONGEST_SOCKET_DIRECTORY = 85

/**
 * Shell script that runs the server until standard input closes. The server stops with the parent process, because the
 * exit of the parent process closes standard input. A line of input is a signal that stops the server, and the next
 * line starts the server again.
 */
const KEEPER = `
server=
trap 'if [ "$server" ]; then kill -QUIT "$server"; wait "$server"; fi; rm -rf "$DIR"' EXIT
trap 'exit 1' HUP INT TERM
exec 3>&2 2>>"$DIR/log"
create() {
  if [ "$PRIMARY" ]; then
    "$BIN/pg_basebackup" -D "$DIR/data" -d "$PRIMARY" -R -c fast >>"$DIR/log"
    return
  fi
  "$BIN/initdb" -D "$DIR/data" -U postgres --auth=trust --encoding=UTF8 --locale="$1" --no-sync \
    >>"$DIR/log"
}
start() {
  "$BIN/postgres" -D "$DIR/data" -p "$1" >>"$DIR/log" 3>&- &
  server=$!
  tries=0
  while sleep 0.05; kill -0 "$server" 2>/dev/null && [ "$tries" -lt 1200 ]; do
    first=
    # A killed server leaves a file that says ready too.
    [ -f "$DIR/data/postmaster.pid" ] && read -r first <"$DIR/data/postmaster.pid"
    if [ "$first" = "$server" ] && grep -qs '^ready' "$DIR/data/postmaster.pid"; then
      echo "$1 $server"
      return
    fi
    tries=$((tries + 1))
  done
  kill -QUIT "$server" 2>/dev/null
  wait "$server"
  server=
  return 1
}
if create C.UTF-8 || create C; then
  printf '%s\\n' "$CONF" >>"$DIR/data/postgresql.conf"
  for port in $PORTS; do
    start "$port" || continue
    while read -r signal; do
      kill "-$signal" "$server"
      wait "$server"
      server=
      echo stopped
      read -r _ || exit 0
      starts=0
      # The shared memory of a killed server stays in use for some seconds.
      until start "$port" || [ "$starts" -gt 600 ]; do
        starts=$((starts + 1))
        sleep 0.1
      done
      [ "$server" ] || break 2
    done
    exit 0
  done
fi
cat "$DIR/log" >&3
exit 1
`

/**
 * Returns the installed server, or undefined. Binaries on the PATH come first, then the newest packaged
 * version.
 */
export function findPostgres(): PostgresInstallation | undefined {
  const onPath = (process.env.PATH ?? '').split(delimiter).map((directory) => {
    const initdb = join(directory, 'initdb')
    return existsSync(initdb) ? dirname(realpathSync(initdb)) : ''
  })
  // On Debian the PATH has only wrappers for the client programs.
  const packaged = globSync(['/usr/lib/postgresql/*/bin', '/usr/pgsql-*/bin']).sort((a, b) =>
    b.localeCompare(a, 'en', { numeric: true }),
  )
  for (const bin of [...onPath, ...packaged]) {
    if (!bin || !['initdb', 'postgres'].every((name) => existsSync(join(bin, name)))) {
      continue
    }
    const { status, stdout } = spawnSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' })
    const version = /\d+(\.\d+)*\w*/.exec(stdout)?.[0]
    if (status === 0 && version) return { bin, version }
  }
  return undefined
}

/**
 * Starts a private PostgreSQL in a new directory, and stops it when this process exits. Every user of this machine can
 * connect. `settings` override the unsafe defaults. With the URL of a primary in `standbyOf`, the new server is a
 * standby. Throws when PostgreSQL is not installed or does not start.
 */
export async function startPrivatePostgres(
  settings: Record<string, string> = {},
  { standbyOf = '' }: { standbyOf?: string } = {},
): Promise<PrivatePostgres> {
  const found = findPostgres()
  if (!found) throw new Error('PostgreSQL: initdb and postgres were not found')
  const owner = unprivilegedUser()
  const base = tmpdir().length > LONGEST_SOCKET_DIRECTORY - 25 ? '/tmp' : tmpdir()
  const directory = mkdtempSync(join(base, 'plaza-postgres-'))
  if (owner) chownSync(directory, owner.uid, owner.gid)
  const options = {
    ...UNSAFE_DEFAULTS,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: directory,
    ...settings,
  }
  const conf = Object.entries(options).map(([name, value]) => `${name} = '${value}'`)
  const ports = await Promise.all([freePort(), freePort(), freePort()])
  const keeper = spawn('/bin/sh', ['-c', KEEPER], {
    ...owner,
    cwd: directory,
    // The server gets a new process group, so that Ctrl-C reaches only this process, which then stops the
    // server.
    detached: true,
    env: {
      PATH: process.env.PATH,
      LC_ALL: 'C',
      BIN: found.bin,
      DIR: directory,
      PRIMARY: standbyOf,
      CONF: conf.join('\n'),
      PORTS: ports.join(' '),
    },
  })
  keeper.stdin.on('error', () => {})
  const ended = new Promise<void>((resolve, reject) => {
    keeper.once('exit', () => resolve())
    keeper.once('error', reject)
  })
  const complaint = text(keeper.stderr)
  const lines = createInterface({ input: keeper.stdout })[Symbol.asyncIterator]()
  const next = async (): Promise<string> => {
    const line = await Promise.race([lines.next(), ended])
    if (!line || line.done) throw new Error(`PostgreSQL ended:\n${await complaint}`)
    return line.value
  }
  const [port, pid] = (await next()).split(' ')
  const server: PrivatePostgres = {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    pid: Number(pid),
    async interrupt(signal) {
      keeper.stdin.write(`${signal}\n`)
      await next()
    },
    async resume() {
      keeper.stdin.write('start\n')
      server.pid = Number((await next()).split(' ')[1])
    },
    async stop() {
      keeper.stdin.end()
      await ended
    },
  }
  return server
}

/** Runs a statement in a new connection and returns its rows. */
export async function onServer(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

/** Creates a database with the `options` of its statement, and returns the database's URL. */
export async function createDatabase(base: string, name: string, options = ''): Promise<string> {
  await onServer(base, `create database ${name} ${options}`)
  const url = new URL(base)
  url.pathname = `/${name}`
  return url.href
}

/** Returns a TCP port on 127.0.0.1 that is currently free. The next `more` ports are free too. */
export async function freePort(more = 0): Promise<number> {
  for (;;) {
    const port = await listenBriefly(0)
    const following = Array.from({ length: more }, (_, i) => listenBriefly(port + 1 + i))
    const results = await Promise.allSettled(following)
    if (results.every(({ status }) => status === 'fulfilled')) return port
  }
}

function listenBriefly(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : port))
    })
  })
}

/**
 * Returns an unprivileged user when this process runs as root, because PostgreSQL refuses to run as root. Otherwise
 * returns undefined.
 */
export function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) =>
      spawnSync('id', [flag, name], { encoding: 'utf8' }),
    )
    if (uid?.status === 0 && gid?.status === 0) {
      return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
    }
  }
  throw new Error('PostgreSQL cannot run as root, and there is no user postgres or nobody')
}
