import { type Language, useLanguage } from './look.ts'

/** Guesses the language of a text: Korean if it contains Hangul, English if all its letters are Latin. */
function languageOf(text: string): Language | undefined {
  if (/\p{Script=Hangul}/u.test(text)) return 'ko'
  const hasOther = /(?!\p{Script=Latin})\p{L}/u.test(text)
  return /\p{Script=Latin}/u.test(text) && !hasOther ? 'en' : undefined
}

/** Returns the `lang` attribute for a user's text. Undefined if its language is the page's or unknown. */
export function useLangOf(text: string): Language | undefined {
  const page = useLanguage()
  const language = languageOf(text)
  return language === page ? undefined : language
}
