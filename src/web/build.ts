import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { access, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { IS_PACKAGE, STRIP_TYPES } from '../package.ts'
import { hashSources } from './sources.ts'

export const ROOT = join(import.meta.dirname, '../..')
const BUNDLE = join(import.meta.dirname, 'bundle.ts')
const OUTPUT_MAX = 100_000
const SAID_MAX = 2000
/** Milliseconds after which an unfinished build counts as abandoned. */
const ABANDONED_MS = 600_000
const ATTEMPTS = 3

interface BuildOptions {
  signal?: AbortSignal
  root?: string
}

interface Built {
  folder: string
  isNew: boolean
}

/**
 * Builds the web client unless its current sources have been built. Returns the folder of the build, and whether it is
 * new. A complete build is renamed to the hash of its sources, so concurrent builds do not interfere. Errors: the
 * signal's reason; an Error when the build fails (with the end of its output), or when the sources change during every
 * build.
 */
export async function buildClient({ signal, root = ROOT }: BuildOptions = {}): Promise<Built> {
  const packed = IS_PACKAGE && root === ROOT ? await findPacked() : undefined
  if (packed !== undefined) return { folder: packed, isNew: false }
  for (let left = ATTEMPTS; left > 0; left -= 1) {
    const name = await hashSources(root)
    const folder = join(root, 'web/dist', name)
    if (await isWhole(folder)) return { folder, isNew: false }
    if (await buildInto(folder, name, { signal, root })) return { folder, isNew: true }
  }
  throw new Error('the sources changed during every build')
}

/**
 * Builds into `folder`. Returns false when the sources changed during the build, which may then mix old and new
 * sources.
 */
async function buildInto(
  folder: string,
  name: string,
  { signal, root }: { signal: AbortSignal | undefined; root: string },
): Promise<boolean> {
  const builds = join(root, 'web/dist')
  const unfinished = join(builds, `unfinished-${randomBytes(6).toString('hex')}`)
  try {
    await mkdir(unfinished, { recursive: true })
    await bundle(root, unfinished, signal)
    if ((await hashSources(root)) !== name) return false
    await rename(unfinished, folder).catch(async (error: unknown) => {
      // Ignores the error if another process has completed the same build.
      if (!(await isWhole(folder))) throw error
    })
  } finally {
    await rm(unfinished, { recursive: true, force: true }).catch(() => {})
  }
  await removeOthers(builds, name)
  return true
}

async function findPacked(): Promise<string | undefined> {
  const builds = join(ROOT, 'web/dist')
  const names = await readdir(builds).catch(() => [])
  const [name] = names.filter((build) => !build.startsWith('unfinished-'))
  return name && join(builds, name)
}

async function isWhole(folder: string): Promise<boolean> {
  return access(join(folder, 'index.html')).then(
    () => true,
    () => false,
  )
}

/**
 * Runs the bundler in a child process, which frees its memory when the build ends. The child does not inherit
 * the server's environment, which contains secrets.
 */
async function bundle(
  root: string,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted()
  const child = spawn(process.execPath, [...STRIP_TYPES, BUNDLE, root, folder], {
    cwd: root,
    env: { NODE_ENV: 'production' },
    // The child ends when its standard input closes, so it does not outlive this process.
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  stepBack(child.pid)
  let output = ''
  const keep = (text: string) => (output = (output + text).slice(-OUTPUT_MAX))
  child.stdout.setEncoding('utf8').on('data', keep)
  child.stderr.setEncoding('utf8').on('data', keep)
  child.stdin.on('error', () => {})
  const stop = () => child.kill('SIGKILL')
  signal?.addEventListener('abort', stop)
  try {
    const [code, killedBy] = (await once(child, 'close')) as [number | null, string | null]
    signal?.throwIfAborted()
    const said = stripVTControlCharacters(output).trim().slice(-SAID_MAX)
    if (code !== 0) throw new Error(`the build exited with ${code ?? killedBy}:\n${said}`)
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

/** Lowers the build's priority, so that it does not slow down the server. */
function stepBack(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // The process has already exited. The caller reports that.
  }
}

/** Deletes builds of other sources, and unfinished builds that were abandoned. */
async function removeOthers(builds: string, name: string): Promise<void> {
  for (const entry of await readdir(builds)) {
    if (entry === name) continue
    const place = join(builds, entry)
    const { mtimeMs } = await stat(place).catch(() => ({ mtimeMs: Number.NaN }))
    const isOld = Date.now() - mtimeMs > ABANDONED_MS
    if (entry.startsWith('unfinished-') && !isOld) continue
    await rm(place, { recursive: true, force: true }).catch(() => {})
  }
}
