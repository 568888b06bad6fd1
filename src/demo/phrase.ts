import type { Random } from './random.ts'
import en from './words/en.json' with { type: 'json' }
import ko from './words/ko.json' with { type: 'json' }

export type Tongue = 'ko' | 'en'

/**
 * The vocabulary of both languages. In texts, `{name}` stands for an entry of `parts.name`. Names are separated
 * by spaces, each with its spelling in a handle after a slash, if it differs.
 */
export const WORDS: Record<Tongue, typeof ko> = { ko, en }

/** Fills the gaps of a random pattern. The result begins with a capital letter. */
export function phrase(random: Random, tongue: Tongue, patterns: readonly string[]): string {
  const parts: Record<string, readonly string[]> = WORDS[tongue].parts
  const text = random
    .pick(patterns)
    .replace(/\{(\w+)\}/g, (_, name: string) => random.pick(parts[name] ?? []))
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Picks a name. Returns it as written and as spelled in a handle. */
export function pickName(random: Random, names: string): [written: string, spelled: string] {
  const [written = '', spelled] = random.pick(names.split(' ')).split('/')
  return [written, spelled ?? written.toLowerCase()]
}
