import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')
const CLIENT = join(ROOT, 'web/src')

function read(folder: string): Map<string, string> {
  const files = globSync('**/*.{ts,tsx,css}', { cwd: folder })
  return new Map(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]))
}

const texts = read(CLIENT)
const code = [...texts.keys()].filter((file) => /\.tsx?$/.test(file))

function importsOf(file: string, text: string): string[] {
  const named = [...text.matchAll(/(?:from |\bimport\(|^import )'([^']+)'/gm)]
  return named.map(([, name = '']) =>
    name.startsWith('.') ? normalize(join(dirname(file), name)) : name,
  )
}

function partOf(file: string): string {
  return file.includes('/') ? (file.split('/')[0] as string) : ''
}

const uses = new Map<string, Set<string>>()
for (const file of code) {
  const imported = uses.get(partOf(file)) ?? new Set()
  uses.set(partOf(file), imported)
  for (const target of importsOf(file, texts.get(file) ?? '')) {
    if (texts.has(target) && partOf(target) !== partOf(file)) imported.add(partOf(target))
  }
}

const GROUND: Record<string, string[]> = {
  device: [],
  language: ['device'],
  ui: ['device', 'language'],
  lists: ['device', 'language', 'ui'],
  session: ['device', 'language', 'ui'],
  // The shell shows the sign-in dialog on any page. It imports the dialog's code on demand.
  shell: ['device', 'language', 'ui', 'lists', 'session', 'join'],
}

test('keeps features out of the client’s base folders', () => {
  for (const [part, allowed] of Object.entries(GROUND)) {
    const used = uses.get(part)
    assert.ok(used, `folder not found: ${part}`)
    for (const folder of used) assert.ok(allowed.includes(folder), `${part} uses ${folder}`)
  }
})

test('has no import cycles between the client’s folders', () => {
  assert.ok(uses.size > 15)
  const pathOf = (from: string, to: string, seen = new Set<string>()): string[] | undefined => {
    for (const next of uses.get(from) ?? []) {
      if (next === to) return [from, to]
      if (seen.has(next)) continue
      const path = pathOf(next, to, seen.add(next))
      if (path) return [from, ...path]
    }
    return undefined
  }
  for (const part of uses.keys()) {
    assert.equal(pathOf(part, part)?.join(' → '), undefined)
  }
})

test('imports nothing outside the client except the SDK, and calls the server only through it', () => {
  for (const file of code) {
    for (const target of importsOf(file, texts.get(file) ?? '')) {
      const isOutside = target.startsWith('..') || (target.startsWith('#') && target !== '#sdk')
      assert.ok(!isOutside, `${file} imports ${target}`)
    }
    assert.doesNotMatch(texts.get(file) ?? '', /\bfetch\(['"`/]|XMLHttpRequest/, file)
  }
})

test('uses each sensitive API in one file only', () => {
  const places = [
    [/\bcreatePlaza\(/, 'session/plaza.ts'],
    [/\b(?:local|session)Storage[.[]|globalThis\[/, 'device/storage.ts'],
    [/\bnavigator\.clipboard\b/, 'ui/copying.ts'],
    [/\.normalize\('NFC'\)\.?(?:trim\(\))?\]\.length/, 'language/length.ts'],
  ] as const
  for (const [sign, place] of places) {
    const found = code.filter((file) => sign.test(texts.get(file) ?? ''))
    assert.ok(found.includes(place), `${place} has no ${sign}`)
    const others = found.filter((file) => file !== place && file !== 'join/rules.ts')
    assert.deepEqual(others, [], String(sign))
  }
})

test('defines every CSS class that is used and uses every class that is defined', () => {
  const sheets = [...texts.keys()].filter((file) => file.endsWith('.module.css'))
  assert.ok(sheets.length > 30)
  for (const sheet of sheets) {
    const rules = (texts.get(sheet) ?? '').replaceAll(/\/\*[^]*?\*\//g, '')
    const classes = new Set(
      Array.from(rules.matchAll(/\.([a-z]\w*)(?=[^{}]*\{)/gi), ([, name]) => name),
    )
    const used = new Set<string>()
    let isChosenByName = false
    for (const file of code) {
      const text = texts.get(file) ?? ''
      for (const [, name, path = ''] of text.matchAll(/^import (\w+) from '([^']+\.css)'/gm)) {
        if (normalize(join(dirname(file), path)) !== sheet) continue
        for (const [, found = ''] of text.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g'))) {
          used.add(found)
        }
        isChosenByName ||= text.includes(`${name}[`)
      }
    }
    for (const name of used) assert.ok(classes.has(name), `${sheet} has no .${name}`)
    if (isChosenByName) continue
    for (const name of classes)
      assert.ok(used.has(name as string), `${sheet}: .${name} is not used`)
  }
})

test('imports nothing outside the SDK’s own folder', () => {
  const sources = read(join(ROOT, 'sdk/src'))
  assert.ok(sources.size > 10)
  for (const [file, text] of sources) {
    for (const target of importsOf(file, text)) assert.ok(sources.has(target), `${file}: ${target}`)
  }
})

test('keeps files at 350 lines or fewer', () => {
  for (const [file, text] of texts) {
    assert.ok(text.split('\n').length <= 350, `${file} has ${text.split('\n').length} lines`)
  }
})
