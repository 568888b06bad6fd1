/** Chooses the form of Korean particles, which depends on the last sound of the preceding word. */

const FIRST_SYLLABLE = 0xac00
const LAST_SYLLABLE = 0xd7a3
/** Number of final consonants, including none. Unicode orders syllables in blocks of this size. */
const FINALS = 28
/** Digits whose Korean names end with a consonant: 영 (or 십, 백, 천), 일, 삼, 육, 칠, 팔. */
const CLOSED_DIGITS = '013678'
/** Matches spaces and punctuation at the end, which have no sound. */
const SILENT_ENDING = /[\s.,!?…~)\]'"’”]+$/u
/** English words that end with a consonant when written in Korean: film, game, song, cat, book. */
const CLOSED_WORD = /(?:[lmn]e?|ng|(?<![aeiou])[aeiou](?:ck|[ckpt])|ook)$/i

/** Returns the object particle for a text. Returns both forms when the pronunciation is unknown. */
export function objectParticle(text: string): '을' | '를' | '을(를)' {
  const isClosed = endsClosed(text.replace(SILENT_ENDING, ''))
  if (isClosed === undefined) return '을(를)'
  return isClosed ? '을' : '를'
}

/** True when the last sound is a consonant. Undefined when the pronunciation is unknown. */
function endsClosed(text: string): boolean | undefined {
  const last = text.at(-1) ?? ''
  if (/[a-z]/i.test(last)) return CLOSED_WORD.test(text)
  if (/[0-9]/.test(last)) return CLOSED_DIGITS.includes(last)
  const code = last.charCodeAt(0)
  if (!(code >= FIRST_SYLLABLE && code <= LAST_SYLLABLE)) return undefined
  return (code - FIRST_SYLLABLE) % FINALS !== 0
}
