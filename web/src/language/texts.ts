/** Texts stand beside the feature that says them, in both languages; a text that takes figures is a function. */
import { type Language, useLanguage } from './look.ts'

/** What one language must have when the other has it: the same names, the same figures. */
type Like<T> = {
  [K in keyof T]: T[K] extends (...args: infer A) => string
    ? (...args: A) => string
    : T[K] extends string
      ? string
      : Like<T[K]>
}

type Texts<T> = Record<Language, T>

/** Declares texts. A name that one language lacks does not compile. */
export function defineTexts<T>(texts: { ko: T; en: Like<NoInfer<T>> }): Texts<T> {
  return texts as unknown as Texts<T>
}

export function useTexts<T>(texts: Texts<T>): T {
  return texts[useLanguage()]
}
