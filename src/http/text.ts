import type { Problem } from '../errors.ts'
import { type Annotated, isExact } from './fields.ts'

export const FIELDS_MAX = 20
/** Default maximum length in code points, for texts such as ids and cursors whose schema has no limit. */
export const LENGTH_MAX = 1000
/** NFC shortens a text at most by this factor, in UTF-16 units (UAX #15, section 12). */
const NFC_SHRINK = 4
/**
 * Maximum combining marks in a row, because longer runs normalise in quadratic time. The value is that of the
 * Stream-Safe Text Format (UAX #15, section 13).
 */
const MARKS_MAX = 30
const TOO_MANY_MARKS = new RegExp(`(?<!\\p{M})\\p{M}{${MARKS_MAX + 1}}`, 'u')
/**
 * Matches texts that may not be in NFC. Characters below U+0300 are in NFC already, and none of them is a
 * combining mark.
 */
const NEEDS_NFC = /[\u0300-\uffff]/

/** The JSON schema keywords that `readFields` evaluates. */
export interface ValueSchema extends Annotated {
  type?: string | string[]
  maxLength?: number
  maxItems?: number
  items?: ValueSchema
  properties?: Record<string, ValueSchema>
}

interface TextRules {
  /** Maximum length in code points. */
  maxLength?: number | undefined
  exact?: boolean
}

/**
 * Returns the text as it is stored: in NFC, and trimmed unless `exact` is true. Returns a problem for an
 * invalid text. Rejects a text of impossible length before normalising it. Callers check the exact length.
 */
export function readText(
  sent: string,
  { maxLength = LENGTH_MAX, exact = false }: TextRules,
): { text: string } | Omit<Problem, 'field'> {
  const text = exact ? sent : sent.trim()
  if (text.length > maxLength * NFC_SHRINK) {
    return { key: 'invalid.too_long', params: { limit: maxLength } }
  }
  if (!isStorable(text)) return { key: 'invalid.characters' }
  if (!NEEDS_NFC.test(text)) return { text }
  if (TOO_MANY_MARKS.test(text)) return { key: 'invalid.marks', params: { limit: MARKS_MAX } }
  const normal = text.normalize('NFC')
  return { text: exact ? normal : normal.trim() }
}

/**
 * True for a text that contains neither NUL nor lone surrogates. Such a text comes back unchanged from both
 * database engines and from JSON.
 */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** JSON escapes of NUL and surrogates. In UTF-8, JSON can contain NUL and lone surrogates only as escapes. */
const UNSTORABLE_ESCAPE = /\\u(?:0000|d[89a-f])/i

/**
 * Returns the known fields of a body as they are stored (docs/api.md, Validation). `json` is the body as sent.
 * Adds invalid fields to `problems`, up to FIELDS_MAX. Replaces texts and lists over their limits by empty
 * ones. Checks unknown fields only for NUL and lone surrogates.
 */
export function readFields(
  body: Record<string, unknown>,
  { json, schema }: { json: string; schema: ValueSchema },
  problems: Problem[],
): Record<string, unknown> {
  const mayBeUnstorable = UNSTORABLE_ESCAPE.test(json)
  const path: (string | number)[] = []

  function within<T>(key: string | number, visit: () => T): T {
    path.push(key)
    const found = visit()
    path.pop()
    return found
  }

  function report(problem: Omit<Problem, 'field'>): void {
    if (problems.length < FIELDS_MAX) problems.push({ field: path.join('.'), ...problem })
  }

  function scan(value: unknown): void {
    if (typeof value === 'string') {
      if (!isStorable(value)) report({ key: 'invalid.characters' })
    } else if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) scanInner(index, value[index])
    } else if (typeof value === 'object' && value !== null) {
      for (const key in value) scanInner(key, value[key as keyof typeof value])
    }
  }

  // Defined once, because creating a closure for each of up to 130,000 values would be slow.
  function scanInner(key: string | number, value: unknown): void {
    if (typeof value !== 'string' && typeof value !== 'object') return
    path.push(key)
    scan(value)
    path.pop()
  }

  function readAny(value: unknown, rules: ValueSchema): unknown {
    const takes = (type: string) => rules.type === type || rules.type?.includes(type)
    if (typeof value === 'string' && takes('string')) return readString(value, rules)
    if (Array.isArray(value) && takes('array')) return readList(value, rules)
    if (Array.isArray(value) && takes('object')) {
      // Without this branch, `readObject` would turn the list into an object, which could be valid.
      report({ key: 'invalid.type.object' })
      return {}
    }
    if (typeof value === 'object' && value !== null && takes('object')) {
      return readObject(value as Record<string, unknown>, rules)
    }
    if (mayBeUnstorable) scan(value)
    return value
  }

  function readString(sent: string, rules: ValueSchema): string {
    const found = readText(sent, { maxLength: rules.maxLength, exact: isExact(rules) })
    if ('text' in found) return found.text
    report(found)
    return ''
  }

  function readList(list: unknown[], { maxItems = Infinity, items = {} }: ValueSchema): unknown[] {
    if (list.length <= maxItems) {
      return list.map((item, index) => within(index, () => readAny(item, items)))
    }
    report({ key: 'invalid.too_many', params: { limit: maxItems } })
    return []
  }

  function readObject(object: Record<string, unknown>, { properties = {} }: ValueSchema) {
    const known: Record<string, unknown> = {}
    for (const [key, rules] of Object.entries(properties)) {
      if (Object.hasOwn(object, key)) known[key] = within(key, () => readAny(object[key], rules))
    }
    if (!mayBeUnstorable) return known
    for (const key in object) {
      if (!Object.hasOwn(properties, key)) scanInner(key, object[key])
    }
    return known
  }

  return readObject(body, schema)
}
