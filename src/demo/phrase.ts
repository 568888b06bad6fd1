import type { Random } from './random.ts'
import { en } from './words/en.ts'
import { ko } from './words/ko.ts'
import type { Words } from './words/words.ts'

export type Tongue = 'ko' | 'en'

export const WORDS: Record<Tongue, Words> = { ko, en }

/** Fills the gaps of a random pattern. The result begins with a capital letter. */
export function phrase(random: Random, tongue: Tongue, patterns: readonly string[]): string {
  const { parts } = WORDS[tongue]
  const text = random
    .pick(patterns)
    .replace(/\{(\w+)\}/g, (_, name: string) => random.pick(parts[name] ?? []))
  return text.charAt(0).toUpperCase() + text.slice(1)
}
