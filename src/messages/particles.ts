/** Korean particles have two forms: which one follows a word depends on the sound that it ends with. */

const FIRST_SYLLABLE = 0xac00
const LAST_SYLLABLE = 0xd7a3
/** Syllables of one beginning that differ in their final consonant alone; the first of them has none. */
const FINALS = 28
/** Read 영 (or 십, 백, 천), 일, 삼, 육, 칠, 팔. */
const CLOSED_DIGITS = '013678'
/** What is written behind a word without being read. */
const UNREAD = /[\s.,!?…~)\]'"’”]+$/u
/** English words that end with a consonant in Korean too: film, game, song, cat, book. */
const CLOSED_WORD = /(?:[lmn]e?|ng|(?<![aeiou])[aeiou](?:ck|[ckpt])|ook)$/i

/** The form for the object, 을 or 를; both where nobody can tell how the text is read. */
export function objectParticle(text: string): '을' | '를' | '을(를)' {
  const isClosed = endsClosed(text.replace(UNREAD, ''))
  if (isClosed === undefined) return '을(를)'
  return isClosed ? '을' : '를'
}

/** Whether the last sound is a consonant. */
function endsClosed(text: string): boolean | undefined {
  const last = text.at(-1) ?? ''
  if (/[a-z]/i.test(last)) return CLOSED_WORD.test(text)
  if (/[0-9]/.test(last)) return CLOSED_DIGITS.includes(last)
  const code = last.charCodeAt(0)
  if (!(code >= FIRST_SYLLABLE && code <= LAST_SYLLABLE)) return undefined
  return (code - FIRST_SYLLABLE) % FINALS !== 0
}
