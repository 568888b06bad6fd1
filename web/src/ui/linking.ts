type Part =
  | { kind: 'text'; text: string }
  | { kind: 'mention'; text: string; handle: string }
  | { kind: 'link'; text: string; href: string }

/**
 * Matches URLs and mentions. URLs end at the first non-ASCII character, which excludes a Korean particle after a
 * URL. Mentions follow the server's rule.
 */
const LEADING =
  /(?:https?:\/\/|(?<![A-Za-z0-9_@./-])www\.)[\w\-.~:/?#[\]@!$&'()*+,;=%]+|(?<![A-Za-z0-9_@/])@[A-Za-z0-9_]{3,30}(?![A-Za-z0-9_@])/gi

/** Splits a text into links, mentions and plain parts. The joined parts equal the text. */
export function partsOf(text: string): Part[] {
  const parts: Part[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(LEADING)) {
    const part = found.startsWith('@') ? mention(found) : link(found)
    if (!part) continue
    if (index > end) parts.push({ kind: 'text', text: text.slice(end, index) })
    parts.push(part)
    end = index + part.text.length
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) })
  return parts
}

function mention(text: string): Part {
  return { kind: 'mention', text, handle: text.slice(1).toLowerCase() }
}

function link(found: string): Part | undefined {
  const text = withoutPunctuation(found)
  const href = /^www\./i.test(text) ? `https://${text}` : text
  const hasHost = URL.canParse(href) && /^https?:\/\/[^/]*\w/i.test(href)
  return hasHost ? { kind: 'link', text, href } : undefined
}

/** Removes punctuation from the end of a URL. A closing bracket stays if the URL contains an opening one. */
function withoutPunctuation(found: string): string {
  let text = found
  for (;;) {
    const last = text.at(-1) ?? ''
    const isLoose = last === ')' && !text.includes('(')
    if (!isLoose && !".,!?;:'*~".includes(last)) return text
    if (last === '') return text
    text = text.slice(0, -1)
  }
}
