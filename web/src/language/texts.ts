/** Interface texts in Korean and English. A text with parameters is a function. */
import { type Language, useLanguage } from './look.ts'

type Text = string | readonly string[]
type Pair = readonly [ko: Text, en: Text]

interface Pairs {
  [key: string]: Pair | ((...values: never[]) => Pair) | Pairs
}

/** Texts of one language, with the keys of the pairs. */
type TextsOf<T> = {
  [K in keyof T]: T[K] extends Pair
    ? T[K][0]
    : T[K] extends (...values: infer A) => Pair
      ? (...values: A) => string
      : TextsOf<T[K]>
}

type Texts<T> = Record<Language, T>

/** Declares texts as pairs, Korean first. */
export function defineTexts<T extends Pairs>(pairs: T): Texts<TextsOf<T>> {
  return { ko: pick(pairs, 0), en: pick(pairs, 1) }
}

function pick<T extends Pairs>(pairs: T, index: 0 | 1): TextsOf<T> {
  const texts = Object.entries(pairs).map(([key, value]) => {
    if (typeof value === 'function') return [key, (...values: never[]) => value(...values)[index]]
    return [key, isPair(value) ? value[index] : pick(value, index)]
  })
  return Object.fromEntries(texts) as TextsOf<T>
}

function isPair(value: Pair | Pairs): value is Pair {
  return Array.isArray(value)
}

export function useTexts<T>(texts: Texts<T>): T {
  return texts[useLanguage()]
}
