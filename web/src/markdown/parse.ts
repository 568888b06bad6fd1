/** Parser of Markdown. HTML in the text becomes plain text. */
import { Lexer, type Token, Tokenizer } from 'marked'

/** Maximum nesting of quotes, lists and emphasis. Deeper text stays plain, because the parser is recursive. */
const DEPTH_MAX = 20
/**
 * Maximum characters of a paragraph with formatting. The parsing time grows with the square of the paragraph's length.
 */
const INLINE_MAX = 5000

/** Tokenizer that treats HTML, and formatting deeper than DEPTH_MAX, as plain text. */
class BoundedTokenizer extends Tokenizer {
  #depth = 0

  override html(): undefined {}
  override tag(): undefined {}

  override blockquote(text: string) {
    return this.#nest(() => super.blockquote(text))
  }

  override list(text: string) {
    return this.#nest(() => super.list(text))
  }

  override emStrong(...place: Parameters<Tokenizer['emStrong']>) {
    return this.#nest(() => super.emStrong(...place))
  }

  override del(...place: Parameters<Tokenizer['del']>) {
    return this.#nest(() => super.del(...place))
  }

  #nest<T>(read: () => T | undefined): T | undefined {
    if (this.#depth === DEPTH_MAX) return undefined
    this.#depth += 1
    try {
      return read()
    } finally {
      this.#depth -= 1
    }
  }
}

class BoundedLexer extends Lexer {
  override inlineTokens(text: string, tokens: Token[] = []): Token[] {
    if (text.length <= INLINE_MAX) return super.inlineTokens(text, tokens)
    tokens.push({ type: 'text', raw: text, text })
    return tokens
  }
}

export function parse(text: string): Token[] {
  return new BoundedLexer({ gfm: true, tokenizer: new BoundedTokenizer() }).lex(text)
}

/**
 * True for links to the web, to mail addresses and within the site. False for other links, such as `javascript:`. False
 * for links with control characters: browsers read `/<tab>/` as a link to another site.
 */
export function isSafeLink(href: string): boolean {
  return /^(?:https?:|mailto:|#|\/(?![/\\]))\P{Cc}*$/iu.test(href)
}

const NAMED = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: '\u{a0}',
    copy: '©',
    reg: '®',
    trade: '™',
    hellip: '…',
    mdash: '—',
    ndash: '–',
    laquo: '«',
    raquo: '»',
    ldquo: '“',
    rdquo: '”',
    lsquo: '‘',
    rsquo: '’',
    middot: '·',
    bull: '•',
    times: '×',
    larr: '←',
    rarr: '→',
  }),
)
const CODE_POINT_MAX = 0x10_ffff

/** Replaces character references, such as `&amp;`, with their characters, because the parser keeps the references. */
export function decode(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi,
    (reference: string, decimal?: string, hex?: string, name = '') => {
      const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16)
      if (code > 0 && code <= CODE_POINT_MAX) return String.fromCodePoint(code)
      return NAMED.get(name) ?? reference
    },
  )
}
