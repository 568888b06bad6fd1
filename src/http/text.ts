import type { Problem } from '../errors.ts'

const MAX_DEPTH = 32
const MAX_PROBLEMS = 50
/**
 * Bringing a run of combining marks to NFC takes time in the square of its length: a single body
 * of nothing else would hold the process up for seconds. No writing has runs of this length.
 */
const MAX_MARKS = 1000
const TOO_MANY_MARKS = new RegExp(`(?<!\\p{M})\\p{M}{${MAX_MARKS + 1}}`, 'u')

/**
 * Brings every string of a body to NFC and trims it, in place of the original; strings of the
 * top-level fields in `exact` (passwords) keep their white space. Strings with a NUL character or
 * a lone surrogate, about which the engines and JSON itself disagree, and those with an endless run
 * of combining marks are named in `problems`.
 */
export function normaliseBody(
  body: Record<string, unknown>,
  exact: ReadonlySet<string>,
  problems: Problem[],
): Record<string, unknown> {
  const clean: Record<string, unknown> = {}
  for (const key of Object.keys(body)) {
    // Assigning this name would set the prototype; no schema knows such a field.
    if (key === '__proto__') continue
    clean[key] = normalise(body[key], key, exact.has(key), 1, problems)
  }
  return clean
}

function normalise(
  value: unknown,
  field: string,
  exact: boolean,
  depth: number,
  problems: Problem[],
): unknown {
  if (typeof value === 'string') return normaliseText(value, field, exact, problems)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) {
    report(problems, { field: field.split('.')[0] ?? field, key: 'invalid.too_deep' })
    return null
  }
  if (Array.isArray(value)) {
    return value.map((item, i) => normalise(item, `${field}.${i}`, exact, depth + 1, problems))
  }
  const clean: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) {
    if (key === '__proto__') continue
    clean[key] = normalise(item, `${field}.${key}`, exact, depth + 1, problems)
  }
  return clean
}

function normaliseText(text: string, field: string, exact: boolean, problems: Problem[]): string {
  if (!isStorable(text)) {
    report(problems, { field, key: 'invalid.characters' })
    return text
  }
  return exact ? text.normalize('NFC') : text.normalize('NFC').trim()
}

function report(problems: Problem[], problem: Problem): void {
  if (problems.length < MAX_PROBLEMS) problems.push(problem)
}

/** False for text with a NUL character, a lone surrogate or an endless run of combining marks. */
export function isStorable(text: string): boolean {
  if (text.includes('\0') || !text.isWellFormed()) return false
  return text.length <= MAX_MARKS || !TOO_MANY_MARKS.test(text)
}
