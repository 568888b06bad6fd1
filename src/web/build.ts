/**
 * The client is built where it is not yet. Each build stands in a folder named after its sources,
 * which appears under that name when it is whole, whoever builds at the same time.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { access, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { hashSources } from './sources.ts'

/** The root of the project. */
export const ROOT = join(import.meta.dirname, '../..')
const BUNDLE = join(import.meta.dirname, 'bundle.ts')
/** Characters of what a build says that are kept: its end, with colours and without. */
const OUTPUT_MAX = 100_000
const SAID_MAX = 2000
/** Milliseconds after which an unfinished build is nobody's any more. */
const ABANDONED_MS = 600_000
/** How often it is begun anew because somebody changed the sources meanwhile. */
const ATTEMPTS = 3

interface BuildOptions {
  /** Ends a build under way. */
  signal?: AbortSignal
  root?: string
}

interface Built {
  folder: string
  /** Whether it was built just now. */
  isNew: boolean
}

/** The folder of the client as its sources are. Errors: it cannot be built, with the end of what was said. */
export async function buildClient({ signal, root = ROOT }: BuildOptions = {}): Promise<Built> {
  for (let left = ATTEMPTS; left > 0; left -= 1) {
    const name = await hashSources(root)
    const folder = join(root, 'web/dist', name)
    if (await isWhole(folder)) return { folder, isNew: false }
    if (await buildInto(folder, name, { signal, root })) return { folder, isNew: true }
  }
  throw new Error('the sources changed while they were built, again and again')
}

/** False where the sources are others by now: what came of them may be a mixture, which has no name. */
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
      // Another process was quicker: what it built is the same.
      if (!(await isWhole(folder))) throw error
    })
  } finally {
    await rm(unfinished, { recursive: true, force: true }).catch(() => {})
  }
  await removeOthers(builds, name)
  return true
}

async function isWhole(folder: string): Promise<boolean> {
  return access(join(folder, 'index.html')).then(
    () => true,
    () => false,
  )
}

/** In a process of its own, whose memory is given back with its end, and which learns no secret. */
async function bundle(
  root: string,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted()
  const child = spawn(process.execPath, [BUNDLE, root, folder], {
    cwd: root,
    env: { NODE_ENV: 'production' },
    // Its input ends with this process, however that ends.
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
    if (code !== 0) throw new Error(`the build ended with ${code ?? killedBy}:\n${said}`)
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

/** Who serves, and looks for the programs it needs, goes before a build that takes all processors. */
function stepBack(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // It has ended, which is told by its end.
  }
}

/** Takes away builds of other sources, and what processes left that were killed while they built. */
async function removeOthers(builds: string, name: string): Promise<void> {
  for (const other of await readdir(builds)) {
    if (other === name) continue
    const place = join(builds, other)
    const { mtimeMs } = await stat(place).catch(() => ({ mtimeMs: Number.NaN }))
    const isOld = Date.now() - mtimeMs > ABANDONED_MS
    if (other.startsWith('unfinished-') && !isOld) continue
    await rm(place, { recursive: true, force: true }).catch(() => {})
  }
}
