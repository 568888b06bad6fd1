/** Texts that the operator writes in Korean, English or both. */
import { Type } from 'typebox'
import type { Problem } from '../errors.ts'
import type { Language } from '../messages/language.ts'
import { textOrNull } from './fields.ts'

export interface LocalText {
  ko: string | null
  en: string | null
}

export type LocalTextInput = { [K in Language]?: string | null }

export function localTextInput(limits: { minLength: number; maxLength: number }) {
  return Type.Object(
    { ko: Type.Optional(textOrNull(limits)), en: Type.Optional(textOrNull(limits)) },
    { description: 'At least one language; a missing one falls back to the other' },
  )
}

export const LocalTextRecord = Type.Object(
  { ko: textOrNull(), en: textOrNull() },
  { title: 'LocalText' },
)

/** Adds a problem when a text is missing in both languages. Call it in the check of a schema (`checked`). */
export function requireLanguage(field: string, text: unknown, problems: Problem[]): void {
  if (typeof text !== 'object' || text === null || Array.isArray(text)) return
  const { ko = null, en = null } = text as LocalTextInput
  if (ko !== null || en !== null) return
  problems.push({ field, key: 'invalid.one_of', params: { fields: 'ko, en' } })
}

export function toLocalText({ ko = null, en = null }: LocalTextInput): LocalText {
  return { ko, en }
}

/**
 * Returns the text in this language, or else in the other one, with the language of the returned text. The text
 * is empty when both languages are missing.
 */
export function inLanguage(
  text: LocalText,
  language: Language,
): { text: string; language: Language } {
  const found = text[language]
  if (found !== null) return { text: found, language }
  const otherLanguage = language === 'ko' ? 'en' : 'ko'
  return { text: text[otherLanguage] ?? '', language: otherLanguage }
}
