import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const LIST = createRequire(import.meta.url).resolve('@zxcvbn-ts/language-common/src/passwords.json')
/** Keyboard sequences that the checks against LIST do not find. */
const WALKS = ['0123456789', '1234567890-', '1357913579', '987654321q', '0987654321q']

let common: ReadonlySet<string> | undefined

/**
 * Matches 10 to 20 ASCII characters that repeat a shorter text. Longer repetitions are accepted, because
 * attackers try them late.
 */
const REPETITION = /^(?=[ -~]{10,20}$)(.+?)\1+$/

/** Returns LIST (49,000 common passwords) and WALKS, in lower case. The first call reads LIST from the disk. */
function commonPasswords(): ReadonlySet<string> {
  common ??= new Set([...(JSON.parse(readFileSync(LIST, 'utf8')) as string[]), ...WALKS])
  return common
}

/**
 * True when the password is a common password or a keyboard sequence, in any letter case, forward or backward. Also
 * true for 10 to 20 characters that repeat a common password or at most three characters (`qwertyqwerty`,
 * `1111111111`).
 */
export function isCommonPassword(password: string): boolean {
  const folded = password.normalize('NFC').toLowerCase()
  const list = commonPasswords()
  if (list.has(folded) || list.has([...folded].toReversed().join(''))) return true
  const unit = REPETITION.exec(folded)?.[1]
  return unit !== undefined && (unit.length <= 3 || list.has(unit))
}
