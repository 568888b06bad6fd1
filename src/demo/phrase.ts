import type { Random } from './random.ts'
import en from './words/en.json' with { type: 'json' }
import ko from './words/ko.json' with { type: 'json' }

export type Tongue = 'ko' | 'en'

/**
 * Words of the demo's texts by language. `{name}` in a text stands for an entry of `parts.name`. In lists of
 * names, a slash separates a name from its spelling in handles.
 */
export const WORDS: Record<Tongue, typeof ko> = { ko, en }

export function phrase(random: Random, tongue: Tongue, patterns: readonly string[]): string {
  const parts: Record<string, readonly string[]> = WORDS[tongue].parts
  const text = random
    .pick(patterns)
    .replace(/\{(\w+)\}/g, (_, name: string) => random.pick(parts[name] ?? []))
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export function pickName(random: Random, names: string): [written: string, spelled: string] {
  const [written = '', spelled] = random.pick(names.split(' ')).split('/')
  return [written, spelled ?? written.toLowerCase()]
}
