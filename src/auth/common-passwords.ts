import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const LIST = createRequire(import.meta.url).resolve('@zxcvbn-ts/language-common/src/passwords.json')
/** Keyboard sequences that are missing from the list and are not repetitions or reversals of an entry. */
const WALKS = ['0123456789', '1234567890-', '1357913579', '987654321q', '0987654321q']

let common: ReadonlySet<string> | undefined

/** 10 to 20 ASCII characters that repeat a shorter text. Attackers try longer repetitions late. */
const REPETITION = /^(?=[ -~]{10,20}$)(.+?)\1+$/

/** 49,000 passwords in lower case. The first call reads them from the disk. */
function commonPasswords(): ReadonlySet<string> {
  common ??= new Set([...(JSON.parse(readFileSync(LIST, 'utf8')) as string[]), ...WALKS])
  return common
}

/**
 * True when the password, ignoring case, is in a published list, is the reversal of an entry (`0987654321`),
 * or repeats an entry or a text of at most three characters (`qwertyqwerty`, `1111111111`).
 */
export function isCommonPassword(password: string): boolean {
  const folded = password.normalize('NFC').toLowerCase()
  const list = commonPasswords()
  if (list.has(folded) || list.has([...folded].toReversed().join(''))) return true
  const unit = REPETITION.exec(folded)?.[1]
  return unit !== undefined && (unit.length <= 3 || list.has(unit))
}
