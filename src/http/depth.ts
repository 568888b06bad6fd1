/** Objects and lists inside one another that a body may have, itself among them. */
const DEPTH_MAX = 32

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const OPENING = new Set([...'{['].map((bracket) => bracket.charCodeAt(0)))
const CLOSING = new Set([...'}]'].map((bracket) => bracket.charCodeAt(0)))

/**
 * The field of a JSON text that is nested too deeply, or undefined. Looks at brackets only, since parsing
 * 130,000 nested lists takes ten times as long as this.
 */
export function findTooDeep(text: string): string | undefined {
  let depth = 0
  let field = 'body'
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) {
      const start = at
      at = endOfString(text, start)
      if (depth === 1) field = text.slice(start + 1, at)
    } else if (OPENING.has(unit)) {
      if (++depth > DEPTH_MAX) return field
    } else if (CLOSING.has(unit)) depth--
  }
  return undefined
}

/** The place of the closing quote; the end of the text where there is none. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at
    while (text.charCodeAt(before - 1) === BACKSLASH) before--
    if ((at - before) % 2 === 0) return at
  }
  return text.length
}
