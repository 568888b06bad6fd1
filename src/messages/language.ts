import { en, type MessageKey } from './en.ts'
import { ko } from './ko.ts'
import { objectParticle } from './particles.ts'

export type Language = 'ko' | 'en'

const CATALOGUES: Record<Language, Record<MessageKey, string>> = { ko, en }
/** Maximum number of cached headers. Clients control the headers, so the cache must be bounded. */
const CACHE_MAX = 200
const HEADER_MAX = 1000
const known = new Map<string, Language | undefined>()

/**
 * Returns the supported language that an `Accept-Language` header prefers (RFC 9110, section 12.5.4). Returns
 * `fallback` when the header is missing, too long, or accepts no supported language.
 */
export function languageOf(header: string | undefined, fallback: Language): Language {
  if (!header || header.length > HEADER_MAX) return fallback
  if (known.has(header)) return known.get(header) ?? fallback
  const language = negotiate(header)
  if (known.size < CACHE_MAX) known.set(header, language)
  return language ?? fallback
}

function negotiate(header: string): Language | undefined {
  let best: Language | undefined
  let bestQuality = 0
  for (const range of header.split(',')) {
    const [tag = '', ...parameters] = range
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/)
    const primary = tag.split('-')[0]
    const quality = Number(parameters.find((p) => p.startsWith('q='))?.slice(2) ?? 1)
    if ((primary === 'ko' || primary === 'en') && quality > bestQuality) {
      best = primary
      bestQuality = quality
    }
  }
  return best
}

export type MessageParams = Record<string, string | number>

/** Matches a parameter and, if present, the closing quote and the Korean particle 을(를) after it. */
const GAP = /\{(\w+)\}(”?)(을\(를\))?/g

export function message(language: Language, key: MessageKey, params: MessageParams = {}): string {
  return CATALOGUES[language][key].replace(GAP, (_, name, quote, particle) => {
    const text = String(params[name] ?? '')
    return text + quote + (particle ? objectParticle(text) : '')
  })
}

export function isMessageKey(key: string): key is MessageKey {
  return Object.hasOwn(en, key)
}
