/**
 * Completes package-lock.json: run `npm run lock` after every `npm install`. npm omits packages of other platforms that
 * the registry lacks, and `npm ci` then rejects the lock file. This script adds these packages without download URL and
 * checksum, because `npm ci` never downloads them.
 */
import { readFileSync, writeFileSync } from 'node:fs'

interface Entry {
  version?: string
  license?: string
  dev?: boolean
  engines?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const FILE = 'package-lock.json'
const SYSTEMS = /\b(android|darwin|linux|win32|freebsd|openharmony|netbsd|openbsd|sunos|aix)-(\w+)/
const lock = JSON.parse(readFileSync(FILE, 'utf8')) as { packages: Record<string, Entry> }
const added: string[] = []
for (const [path, entry] of Object.entries({ ...lock.packages })) {
  if (path === '') continue
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (lock.packages[`node_modules/${name}`]) continue
    const [, os, cpu] = SYSTEMS.exec(name) ?? []
    if (!os || !cpu) throw new Error(`${name}: cannot derive the platform from the name`)
    const libc = /musl/.test(name) ? 'musl' : /gnu/.test(name) ? 'glibc' : undefined
    lock.packages[`node_modules/${name}`] = {
      version,
      cpu: [cpu],
      ...(entry.dev && { dev: true }),
      ...(os === 'linux' && libc && { libc: [libc] }),
      license: entry.license,
      optional: true,
      os: [os],
      engines: entry.engines,
    } as Entry
    added.push(name)
  }
}
const byName = ([a]: [string, Entry], [b]: [string, Entry]) => a.localeCompare(b, 'en')
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(byName))
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`${added.length} packages for other platforms added to ${FILE}`)
