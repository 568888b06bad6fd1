import { type Language, useLanguage } from './look.ts'

function languageOf(text: string): Language | undefined {
  if (/\p{Script=Hangul}/u.test(text)) return 'ko'
  const hasOther = /(?!\p{Script=Latin})\p{L}/u.test(text)
  return /\p{Script=Latin}/u.test(text) && !hasOther ? 'en' : undefined
}

/** Returns the `lang` attribute for a text. Undefined if the text's language is the page's or unknown. */
export function useLangOf(text: string): Language | undefined {
  const page = useLanguage()
  const language = languageOf(text)
  return language === page ? undefined : language
}
