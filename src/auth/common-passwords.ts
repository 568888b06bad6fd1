/** Recognises common passwords: those of a published list and simple variants of them. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const LIST = createRequire(import.meta.url).resolve('@zxcvbn-ts/language-common/src/passwords.json')
/** Keyboard sequences that the list lacks and that are no repetition or reversal of an entry. */
const WALKS = ['0123456789', '1234567890-', '1357913579', '987654321q', '0987654321q']

let common: ReadonlySet<string> | undefined

/**
 * Matches 10 to 20 ASCII characters that repeat a shorter text. Attackers do not try longer repetitions
 * first.
 */
const REPETITION = /^(?=[ -~]{10,20}$)(.+?)\1+$/

/** Returns the 49,000 passwords of the list in lower case. Reads the list at the first call. */
function commonPasswords(): ReadonlySet<string> {
  common ??= new Set([...(JSON.parse(readFileSync(LIST, 'utf8')) as string[]), ...WALKS])
  return common
}

/**
 * True for a common password in any case, and for a repetition or reversal of one: `1111111111`,
 * `qwertyqwerty`, `0987654321`. The list lacks these variants.
 */
export function isCommonPassword(password: string): boolean {
  const folded = password.normalize('NFC').toLowerCase()
  const list = commonPasswords()
  if (list.has(folded) || list.has([...folded].toReversed().join(''))) return true
  const unit = REPETITION.exec(folded)?.[1]
  return unit !== undefined && (unit.length <= 3 || list.has(unit))
}
