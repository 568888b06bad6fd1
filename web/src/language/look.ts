import { keep, loadJson } from '../device/storage.ts'
import { createStore, useStore } from '../device/store.ts'

export type Language = 'ko' | 'en'
export type Theme = 'light' | 'dark'

interface Look {
  language: Language
  /** Chosen theme. If undefined, the client follows the system's setting. */
  theme: Theme | undefined
}

const KEY = 'plaza.look'
const look = createStore(read())
show()

addEventListener('storage', ({ key }) => {
  if (key !== KEY) return
  look.set(read())
  show()
})

function read(): Look {
  const { theme, language } = (loadJson(KEY) ?? {}) as Partial<Look>
  return {
    language: language === 'ko' || language === 'en' ? language : preferred(),
    theme: theme === 'light' || theme === 'dark' ? theme : undefined,
  }
}

/**
 * Returns the first of the browser's languages that the client supports, or the language in which the server
 * rendered the page.
 */
function preferred(): Language {
  for (const tag of navigator.languages) {
    const primary = tag.slice(0, 2).toLowerCase()
    if (primary === 'ko' || primary === 'en') return primary
  }
  return document.documentElement.lang === 'en' ? 'en' : 'ko'
}

function show(): void {
  const { documentElement } = document
  const { language, theme } = look.get()
  documentElement.lang = language
  if (theme) documentElement.dataset['theme'] = theme
  else delete documentElement.dataset['theme']
  // Selects the colour of the browser's own bars for the theme.
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const own = meta.dataset['theme']
    meta.media = theme ? (own === theme ? 'all' : 'not all') : `(prefers-color-scheme: ${own})`
  }
}

export function changeLook(change: Partial<Look>): void {
  look.set({ ...look.get(), ...change })
  show()
  keep(KEY, JSON.stringify(look.get()))
}

export function currentLanguage(): Language {
  return look.get().language
}

export function useLook(): Look {
  return useStore(look)
}

export function useLanguage(): Language {
  return useLook().language
}

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
