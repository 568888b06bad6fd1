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

test('calls the server only through the SDK', () => {
  for (const file of code) {
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

test('keeps files at 350 lines or fewer', () => {
  for (const [file, text] of texts) {
    assert.ok(text.split('\n').length <= 350, `${file} has ${text.split('\n').length} lines`)
  }
})
