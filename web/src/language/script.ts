import { type Language, useLanguage } from './look.ts'

/** Guesses the language of a text: Korean when it has Hangul, English when all its letters are Latin. */
export function languageOf(text: string): Language | undefined {
  if (/\p{Script=Hangul}/u.test(text)) return 'ko'
  const hasOther = /(?!\p{Script=Latin})\p{L}/u.test(text)
  return /\p{Script=Latin}/u.test(text) && !hasOther ? 'en' : undefined
}

/** The `lang` attribute of a user's text. Undefined when it is the page's language or unknown. */
export function useLangOf(text: string): Language | undefined {
  const page = useLanguage()
  const language = languageOf(text)
  return language === page ? undefined : language
}
