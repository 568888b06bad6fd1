import type { Problem } from '../errors.ts'

/** Maximum nesting depth of a body. The body itself counts as 1. */
const DEPTH_MAX = 32
/**
 * Maximum number of objects and lists in a body. Parsing 87,000 empty objects (256 KiB) blocks the process for
 * over 50 ms.
 */
const COUNT_MAX = 20_000

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const OPENING = new Set([...'{['].map((bracket) => bracket.charCodeAt(0)))
const CLOSING = new Set([...'}]'].map((bracket) => bracket.charCodeAt(0)))

/**
 * Returns a problem when a body is nested too deeply or has too many objects and lists, otherwise undefined.
 * Takes a tenth of the time of parsing.
 */
export function findNesting(text: string): Problem | undefined {
  let depth = 0
  let count = 0
  let field = 'body'
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit === QUOTE) {
      const start = index
      index = endOfString(text, start)
      if (depth === 1) field = text.slice(start + 1, index)
    } else if (OPENING.has(unit)) {
      if (++depth > DEPTH_MAX) return { field, key: 'invalid.too_deep' }
      if (++count > COUNT_MAX) {
        return { field, key: 'invalid.too_many', params: { limit: COUNT_MAX } }
      }
    } else if (CLOSING.has(unit)) depth--
  }
  return undefined
}

/**
 * Returns the index of the quote that closes the string at `start`, or the length of the text when the quote is
 * missing.
 */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end
    while (text.charCodeAt(before - 1) === BACKSLASH) before--
    if ((end - before) % 2 === 0) return end
  }
  return text.length
}
