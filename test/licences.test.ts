import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { readDocument, sectionOf } from './documents.ts'

const root = resolve(import.meta.dirname, '..')
const listed = {
  browsers: licencesIn('Sent to browsers'),
  server: licencesIn('On the server'),
}
const RUN_ON = 'MIT ISC BSD-3-Clause Apache-2.0 MPL-2.0 Unlicense'.split(' ')

interface Package {
  name: string
  license?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

function licencesIn(heading: string): Map<string, string> {
  const rows = sectionOf(readDocument('docs/licences.md'), heading)
  const cells = [...rows.matchAll(/^\| `(.+?)` \| (.+?) \| /gm)]
  return new Map(cells.map(([, name = '', licence = '']) => [name, licence]))
}

function readPackage(folder: string): Package {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Package
}

/**
 * Returns these packages and, transitively, their `dependencies`. Skips packages that are not installed and
 * does not follow `optionalDependencies`.
 */
function withDependencies(names: string[]): Package[] {
  const found = new Map<string, Package>()
  const visit = (name: string, from: string) => {
    for (let folder = from; ; ) {
      const place = join(folder, 'node_modules', name)
      if (existsSync(join(place, 'package.json'))) {
        if (found.has(place)) return
        const read = readPackage(place)
        found.set(place, read)
        for (const needed of Object.keys(read.dependencies ?? {})) visit(needed, place)
        return
      }
      const above = folder.lastIndexOf('/node_modules/')
      if (above < 0) return
      folder = folder.slice(0, above)
    }
  }
  for (const name of names) visit(name, root)
  return [...found.values()]
}

const { dependencies = {}, optionalDependencies = {} } = readPackage(root)

test('lists every dependency with its licence', () => {
  const licences = new Map([...listed.browsers, ...listed.server])
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    assert.ok(licences.has(name), `docs/licences.md lacks ${name}`)
  }
  for (const [name, licence] of licences) {
    const folder = join(root, 'node_modules', name)
    if (name in optionalDependencies && !existsSync(folder)) continue
    assert.equal(licence, readPackage(folder).license, name)
  }
})

test('lists every package that the web client imports', () => {
  const imported = new Set<string>()
  for (const file of globSync('web/src/**/*.{ts,tsx,css}', { cwd: root })) {
    for (const [, name = ''] of readDocument(file).matchAll(
      /(?:from|import|url\() ?'([@a-z][^']+)'/g,
    )) {
      const parts = name.split('/')
      imported.add(parts.slice(0, name.startsWith('@') ? 2 : 1).join('/'))
    }
  }
  imported.delete('plaza-sdk')
  const missing = withDependencies([...imported])
    .map(({ name }) => name)
    .filter((name) => !listed.browsers.has(name))
  assert.deepEqual(missing, [])
})

test('lists the licences of all transitive dependencies', () => {
  for (const { name, license } of withDependencies(Object.keys(dependencies))) {
    if (listed.browsers.has(name) || listed.server.has(name)) continue
    assert.ok(RUN_ON.includes(license ?? ''), `${name}: ${license}`)
  }
})
