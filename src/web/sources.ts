import { hash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

/** Sources of the web client, as paths relative to the project root. */
const SOURCES = ['web', 'sdk/src', 'package.json', 'package-lock.json', 'tsconfig.json']
/** Names of folders that are not sources: builds and packages. */
const MADE = new Set(['dist', 'node_modules'])

/** Returns a hash of the paths and contents of the client's sources. */
export async function hashSources(root: string): Promise<string> {
  const files = (await Promise.all(SOURCES.map((place) => listFiles(join(root, place))))).flat()
  const lines = files.map(async (file) => {
    const path = relative(root, file).split(sep).join('/')
    return `${path}\0${hash('sha256', await readFile(file))}\n`
  })
  return hash('sha256', (await Promise.all(lines)).sort().join('')).slice(0, 16)
}

async function listFiles(place: string): Promise<string[]> {
  try {
    const entries = await readdir(place, { withFileTypes: true })
    const included = entries.filter(({ name }) => !MADE.has(name) && !name.startsWith('.'))
    const files = included.map(async (entry) => {
      const path = join(place, entry.name)
      return entry.isDirectory() ? listFiles(path) : [path]
    })
    return (await Promise.all(files)).flat()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOTDIR') return [place]
    if (code === 'ENOENT') return []
    throw error
  }
}
