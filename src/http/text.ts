/** Brings the texts of bodies and queries to their stored form (contract, section 1, Validation). */
import type { Problem } from '../errors.ts'

/** Fields that one error names at most. */
export const FIELDS_MAX = 20
/** Code points of a text whose schema states no limit: ids and cursors. */
export const LENGTH_MAX = 1000
/** One character of NFC takes at most this many UTF-16 units before normalisation (UAX #15, section 12). */
const NFC_SHRINK = 4
/**
 * Normalising a run of combining marks takes time in the square of its length, so runs are bounded
 * as in the Stream-Safe Text Format (UAX #15, section 13).
 */
const MARKS_MAX = 30
const TOO_MANY_MARKS = new RegExp(`(?<!\\p{M})\\p{M}{${MARKS_MAX + 1}}`, 'u')
/** Below U+0300 there is no combining mark, and every text is NFC. */
const NEEDS_NFC = /[\u0300-\uffff]/

/** The part of a JSON schema that decides how a value is read. */
export interface ValueSchema {
  type?: string | string[]
  maxLength?: number
  maxItems?: number
  items?: ValueSchema
  properties?: Record<string, ValueSchema>
}

interface TextRules {
  /** Code points. */
  maxLength?: number | undefined
  /** Keeps white space at both ends. */
  exact?: boolean
}

/** A text in NFC, trimmed; or the reason why it cannot be read. A text that is far too long is not normalised. */
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

/** False for text with a NUL character or a lone surrogate: engines and JSON itself disagree about them. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/**
 * The fields of a body that its schema knows, with every text in NFC and trimmed; texts of the top-level
 * fields in `exact` keep their white space. Adds the faulty fields to `problems`. A text or list over its
 * limit is reported without a look at its content, and an empty one takes its place. Fields that the
 * schema does not know are checked for NUL and lone surrogates and left out.
 */
export function readFields(
  body: Record<string, unknown>,
  { schema, exact }: { schema: ValueSchema; exact: ReadonlySet<string> },
  problems: Problem[],
): Record<string, unknown> {
  const path: (string | number)[] = []
  const report = (problem: Omit<Problem, 'field'>) => {
    problems.push({ field: path.join('.'), ...problem })
  }

  /** Reads or scans the values inside another one. */
  function each(
    entries: Iterable<[string | number, unknown]>,
    visit: (value: unknown, key: string | number) => void,
  ): void {
    for (const [key, value] of entries) {
      if (problems.length >= FIELDS_MAX) return
      path.push(key)
      visit(value, key)
      path.pop()
    }
  }

  function scan(value: unknown): void {
    if (typeof value === 'string') {
      if (!isStorable(value)) report({ key: 'invalid.characters' })
    } else if (Array.isArray(value)) each(value.entries(), scan)
    else if (typeof value === 'object' && value !== null) each(Object.entries(value), scan)
  }

  function read(value: unknown, { type, maxLength, maxItems, items, properties }: ValueSchema) {
    const takes = (name: string) => type === name || type?.includes(name)
    if (typeof value === 'string' && takes('string')) {
      const [field] = path
      const rules = { maxLength, exact: path.length === 1 && exact.has(String(field)) }
      const found = readText(value, rules)
      if ('text' in found) return found.text
      report(found)
      return ''
    }
    if (Array.isArray(value) && takes('array') && items) {
      if (maxItems !== undefined && value.length > maxItems) {
        report({ key: 'invalid.too_many', params: { limit: maxItems } })
        return []
      }
      const list: unknown[] = []
      each(value.entries(), (item) => list.push(read(item, items)))
      return list
    }
    if (typeof value === 'object' && value !== null && takes('object') && properties) {
      return readObject(value as Record<string, unknown>, properties)
    }
    scan(value)
    return value
  }

  function readObject(value: Record<string, unknown>, properties: Record<string, ValueSchema>) {
    const known: Record<string, unknown> = {}
    each(Object.entries(value), (item, key) => {
      // Own names only: `__proto__` of a body is an unknown field like others.
      if (Object.hasOwn(properties, key)) known[key] = read(item, properties[key] as ValueSchema)
      else scan(item)
    })
    return known
  }

  return readObject(body, schema.properties ?? {})
}
