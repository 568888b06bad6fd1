import { en, type MessageKey } from './en.ts'
import { ko } from './ko.ts'
import { objectParticle } from './particles.ts'

export type Language = 'ko' | 'en'

const CATALOGUES: Record<Language, Record<MessageKey, string>> = { ko, en }
const DEFAULT: Language = 'ko'
/** Headers come from strangers: remember a few, so that memory is bounded. */
const REMEMBERED = 200
const known = new Map<string, Language>()

/** The language an `Accept-Language` header asks for (RFC 9110, section 12.5.4); Korean unless `en` is preferred. */
export function languageOf(header: string | undefined): Language {
  if (!header) return DEFAULT
  let language = known.get(header)
  if (!language) {
    language = header.length > 1000 ? DEFAULT : negotiate(header)
    if (known.size < REMEMBERED) known.set(header, language)
  }
  return language
}

function negotiate(header: string): Language {
  let best: Language = DEFAULT
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

/** A parameter, and the particle that follows it in Korean. */
const GAP = /\{(\w+)\}(”?)(을\(를\))?/g

/** The text of a message with its parameters filled in. */
export function message(language: Language, key: MessageKey, params: MessageParams = {}): string {
  return CATALOGUES[language][key].replace(GAP, (_, name, quote, particle) => {
    const text = String(params[name] ?? '')
    return text + quote + (particle ? objectParticle(text) : '')
  })
}

/** True when the catalogues hold this key. */
export function isMessageKey(key: string): key is MessageKey {
  return Object.hasOwn(en, key)
}
