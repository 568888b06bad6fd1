/** Language and theme, stored on this device. */
import { useSyncExternalStore } from 'react'
import { keep, loadJson } from '../device/storage.ts'

export type Language = 'ko' | 'en'
export type Theme = 'light' | 'dark'

interface Look {
  language: Language
  /** Chosen theme. If undefined, the client follows the system's setting. */
  theme: Theme | undefined
}

const KEY = 'plaza.look'
const listeners = new Set<() => void>()
let look = read()
show()

addEventListener('storage', ({ key }) => {
  if (key !== KEY) return
  look = read()
  show()
  for (const listener of listeners) listener()
})

function read(): Look {
  const { theme, language } = (loadJson(KEY) ?? {}) as Partial<Look>
  return {
    language: language === 'ko' || language === 'en' ? language : preferred(),
    theme: theme === 'light' || theme === 'dark' ? theme : undefined,
  }
}

/**
 * Returns the first of the browser's languages that the client supports. If it supports none, returns the
 * language in which the server rendered the page.
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
  documentElement.lang = look.language
  if (look.theme) documentElement.dataset['theme'] = look.theme
  else delete documentElement.dataset['theme']
}

export function changeLook(change: Partial<Look>): void {
  look = { ...look, ...change }
  show()
  keep(KEY, JSON.stringify(look))
  for (const listener of listeners) listener()
}

export function currentLanguage(): Language {
  return look.language
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useLook(): Look {
  return useSyncExternalStore(subscribe, () => look)
}

export function useLanguage(): Language {
  return useLook().language
}
