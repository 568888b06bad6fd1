import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { findPostgres, freePort, unprivilegedUser } from '../../../scripts/postgres.ts'

/**
 * Shell script that runs PostgreSQL. When the script's standard input closes, it stops PostgreSQL, so PostgreSQL cannot
 * outlive the harness.
 */
const KEEPER = `
"$BIN/postgres" -D "$DIR/data" >>"$DIR/log" 2>&1 &
server=$!
trap 'kill -QUIT "$server" 2>/dev/null; wait "$server"' EXIT
trap 'exit 1' HUP INT TERM
while kill -0 "$server" 2>/dev/null; do
  first=
  # A killed server leaves a file that says ready too.
  [ -f "$DIR/data/postmaster.pid" ] && read -r first <"$DIR/data/postmaster.pid"
  if [ "$first" = "$server" ] && grep -qs '^ready' "$DIR/data/postmaster.pid"; then
    echo "$server"
    read -r signal && kill "-$signal" "$server"
    break
  fi
  sleep 0.02
done
`
const START_MS = 60_000

export class PostgresServer {
  readonly directory: string
  readonly owner: { uid: number; gid: number } | undefined
  readonly #bin: string
  readonly #port: number
  #keeper: ChildProcess | undefined
  pid = 0

  private constructor(directory: string, port: number, bin: string) {
    this.directory = directory
    this.owner = unprivilegedUser()
    this.#port = port
    this.#bin = bin
  }

  static async create(): Promise<PostgresServer> {
    const found = findPostgres()
    if (!found) throw new Error('PostgreSQL: initdb and postgres were not found')
    const directory = mkdtempSync(join(tmpdir(), 'plaza-faults-pg-'))
    const server = new PostgresServer(directory, await freePort(), found.bin)
    if (server.owner) chownSync(directory, server.owner.uid, server.owner.gid)
    const data = join(directory, 'data')
    const options = ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--no-sync']
    const made = spawnSync(join(found.bin, 'initdb'), [...options, '--locale=C.UTF-8'], {
      ...server.owner,
      cwd: directory,
      encoding: 'utf8',
    })
    if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`)
    const settings = {
      port: server.#port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: directory,
      max_connections: 200,
      restart_after_crash: 'on',
    }
    const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`)
    appendFileSync(join(data, 'postgresql.conf'), lines.join(''))
    await server.start()
    return server
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.#port}/postgres`
  }

  get port(): number {
    return this.#port
  }

  /**
   * Starts the server. Retries for a minute, because the shared memory of a killed server stays in use for
   * some seconds.
   */
  async start(): Promise<void> {
    for (const started = Date.now(); ; ) {
      const keeper = spawn('/bin/sh', ['-c', KEEPER], {
        ...this.owner,
        cwd: this.directory,
        detached: true,
        env: { PATH: process.env.PATH, LC_ALL: 'C', BIN: this.#bin, DIR: this.directory },
      })
      keeper.stdin.on('error', () => {})
      const line = await Promise.race([
        once(keeper.stdout, 'data').then(([data]) => String(data).trim()),
        once(keeper, 'exit').then(() => ''),
      ])
      if (line) {
        this.#keeper = keeper
        this.pid = Number(line)
        return
      }
      if (Date.now() - started > START_MS) {
        const log = readFileSync(join(this.directory, 'log'), 'utf8')
        throw new Error(`PostgreSQL did not start within 60 seconds:\n${log.slice(-2000)}`)
      }
    }
  }

  /** Stops the server. INT shuts down cleanly, QUIT skips the checkpoint, and KILL simulates a crash. */
  async stop(signal: 'INT' | 'QUIT' | 'KILL'): Promise<void> {
    const keeper = this.#keeper
    if (!keeper) return
    this.#keeper = undefined
    const gone = once(keeper, 'exit')
    keeper.stdin?.end(`${signal}\n`)
    await gone
  }

  async sql(text: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: this.url })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query(text)).rows
    } finally {
      await client.end()
    }
  }

  async backends(): Promise<number[]> {
    const rows = await this.sql(
      "select pid from pg_stat_activity where application_name = 'plaza' and backend_type = 'client backend' order by random()",
    )
    return rows.map(({ pid }) => Number(pid))
  }

  async remove(): Promise<void> {
    await this.stop('QUIT')
    rmSync(this.directory, { recursive: true, force: true })
  }
}
