/** The passwords that attackers try first: a published list, and the variants of it that the list leaves out. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const LIST = createRequire(import.meta.url).resolve('@zxcvbn-ts/language-common/src/passwords.json')
/** Walks along the keyboard that are neither in the list nor a repetition or reversal of its entries. */
const WALKS = ['0123456789', '1234567890-', '1357913579', '987654321q', '0987654321q']

let common: ReadonlySet<string> | undefined

/** Longer repetitions, and those of other scripts, are not what attackers try first. */
const REPETITION = /^(?=[ -~]{10,20}$)(.+?)\1+$/

/** The 49,000 passwords of the list, in lower case. Read once, when the first password is chosen. */
function commonPasswords(): ReadonlySet<string> {
  common ??= new Set([...(JSON.parse(readFileSync(LIST, 'utf8')) as string[]), ...WALKS])
  return common
}

/**
 * True for a common password in any case. The list leaves repetitions and reversals to zxcvbn's other
 * matchers, so these are looked for here: `1111111111`, `qwertyqwerty`, `0987654321`.
 */
export function isCommonPassword(password: string): boolean {
  const folded = password.normalize('NFC').toLowerCase()
  const list = commonPasswords()
  if (list.has(folded) || list.has([...folded].toReversed().join(''))) return true
  const unit = REPETITION.exec(folded)?.[1]
  return unit !== undefined && (unit.length <= 3 || list.has(unit))
}
