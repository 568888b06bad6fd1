/** Interface texts in Korean and English. A text with parameters is a function. */
import { type Language, useLanguage } from './look.ts'

/** Type of the second language: the same keys, and functions with the same parameters. */
type Like<T> = {
  [K in keyof T]: T[K] extends (...args: infer A) => string
    ? (...args: A) => string
    : T[K] extends string
      ? string
      : Like<T[K]>
}

type Texts<T> = Record<Language, T>

/** Declares texts in both languages. A key that is missing in one of them is a type error. */
export function defineTexts<T>(texts: { ko: T; en: Like<NoInfer<T>> }): Texts<T> {
  return texts as unknown as Texts<T>
}

export function useTexts<T>(texts: Texts<T>): T {
  return texts[useLanguage()]
}
