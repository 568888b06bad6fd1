import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createDatabase, DURABLE, onServer, startPrivatePostgres } from '../scripts/postgres.ts'
import { SECRETS } from './servers.ts'
import type { World } from './world.ts'

export interface Place {
  dataDir: string
  databaseUrl: string | undefined
}

export interface Databases {
  world: World
  places: [Place, Place]
}

export type Cleanups = (() => Promise<unknown> | void)[]

/**
 * Fills a database with the code in folder `from`, and copies the database. `from` must contain the older version,
 * because only the newer version can migrate the database.
 */
export async function makeDatabases(
  engine: 'sqlite' | 'postgres',
  directory: string,
  from: string,
  cleanups: Cleanups,
): Promise<Databases> {
  const dataDirs = ['first', 'second'].map((name) => join(directory, name))
  for (const dataDir of dataDirs) mkdirSync(dataDir, { mode: 0o700 })
  if (engine === 'sqlite') {
    const places = dataDirs.map((dataDir) => ({ dataDir, databaseUrl: undefined }))
    const world = await fill(places[0] as Place, from)
    copyFileSync(fileOf(places[0] as Place), fileOf(places[1] as Place))
    return { world, places: places as [Place, Place] }
  }
  const server = await startPrivatePostgres(DURABLE)
  cleanups.push(() => server.stop())
  const [first = '', second = ''] = dataDirs
  const filled = { dataDir: first, databaseUrl: await createDatabase(server.url, 'plaza_0') }
  const world = await fill(filled, from)
  const copyUrl = await createDatabase(server.url, 'plaza_1', 'template plaza_0')
  const copy = { dataDir: second, databaseUrl: copyUrl }
  // Vacuums now, because autovacuum would otherwise run during the measurement.
  for (const { databaseUrl } of [filled, copy]) await onServer(databaseUrl, 'vacuum analyze')
  return { world, places: [filled, copy] }
}

export function fileOf({ dataDir }: Place): string {
  return join(dataDir, 'plaza.db')
}

async function fill(place: Place, from: string): Promise<World> {
  const { openDatabase }: typeof import('../src/db/open.ts') = await import(
    join(from, 'src/db/open.ts')
  )
  const { makeWorld }: typeof import('./world.ts') = await import(join(from, 'bench/world.ts'))
  const db = openDatabase(place)
  const world = await makeWorld(db, SECRETS.TOKEN_SECRET)
  await db.close()
  return world
}

export function checkOut(ref: string, folder: string, cleanups: Cleanups): void {
  const git = (...args: string[]): void => {
    execFileSync('git', args, { cwd: import.meta.dirname, stdio: ['ignore', 'ignore', 'inherit'] })
  }
  git('worktree', 'add', '--quiet', '--detach', folder, ref)
  cleanups.push(() => git('worktree', 'remove', '--force', folder))
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent']
  execFileSync('npm', ['ci', ...options], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
}
