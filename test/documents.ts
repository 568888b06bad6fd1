import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

export function readDocument(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

export function sectionOf(document: string, heading: string): string {
  const [, ...sections] = document.split(/^## /m)
  const found = sections.find((text) => text.startsWith(`${heading}\n`))
  assert.ok(found, `section not found: ${heading}`)
  return found
}

export function commandsIn(file: string, heading?: string): string[] {
  const text = readDocument(file)
  const section = heading === undefined ? text : sectionOf(text, heading)
  return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block as string)
}
