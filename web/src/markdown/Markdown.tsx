/** Markdown as React elements. HTML in the text stays text. */
import { Lexer, type MarkedToken, type Token, Tokenizer, type Tokens } from 'marked'
import { createElement, Fragment, type ReactNode, useMemo } from 'react'
import styles from './Markdown.module.css'

/** Returns no tokens for HTML, so that it is parsed as text. */
class TextTokenizer extends Tokenizer {
  override html(): undefined {}
  override tag(): undefined {}
}

/** Allows only these links. Other links, such as `javascript:`, stay plain text. */
const SAFE_LINK = /^(?:https?:|mailto:|#|\/(?![/\\]))/i
const LEVELS = 6

interface Props {
  text: string
  /** Level of the headings that the text marks with one `#`. */
  level?: number
  lang?: string | undefined
}

export function Markdown({ text, level = 2, lang }: Props) {
  const elements = useMemo(() => {
    const tokens = new Lexer({ gfm: true, tokenizer: new TextTokenizer() }).lex(text)
    return toElements(tokens, level)
  }, [text, level])
  return (
    <div className={styles.text} lang={lang}>
      {elements}
    </div>
  )
}

function toElements(tokens: readonly Token[], level: number): ReactNode[] {
  return tokens.map((token, key) => (
    <Fragment key={key}>{toElement(token as MarkedToken, level)}</Fragment>
  ))
}

function toElement(token: MarkedToken, level: number): ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'paragraph':
      return <p>{toElements(token.tokens, level)}</p>
    case 'heading': {
      const depth = token.depth - 1 + level
      return createElement(`h${Math.min(depth, LEVELS)}`, null, toElements(token.tokens, level))
    }
    case 'text':
      return token.tokens ? toElements(token.tokens, level) : decode(token.text)
    case 'escape':
      return token.text
    case 'strong':
    case 'em':
    case 'del':
    case 'blockquote':
      return createElement(token.type, null, toElements(token.tokens, level))
    case 'br':
    case 'hr':
      return createElement(token.type)
    case 'codespan':
      return <code>{token.text}</code>
    case 'code':
      return (
        <pre>
          <code>{token.text}</code>
        </pre>
      )
    case 'link':
      if (!SAFE_LINK.test(token.href)) return decode(token.raw)
      return <Anchor href={token.href}>{toElements(token.tokens, level)}</Anchor>
    case 'image':
      return <Picture token={token} />
    case 'list':
      return <List token={token} level={level} />
    case 'table':
      return <Table token={token} level={level} />
    default:
      return token.raw
  }
}

function List({ token, level }: { token: Tokens.List; level: number }) {
  const items = token.items.map((item, key) => <li key={key}>{toElements(item.tokens, level)}</li>)
  return token.ordered ? <ol start={token.start || 1}>{items}</ol> : <ul>{items}</ul>
}

function Table({ token, level }: { token: Tokens.Table; level: number }) {
  const row = (cells: readonly Tokens.TableCell[]) => (
    <tr>
      {cells.map(({ header, align, tokens }, key) => {
        const style = align ? { textAlign: align } : undefined
        const children = toElements(tokens, level)
        return createElement(header ? 'th' : 'td', { key, style }, children)
      })}
    </tr>
  )
  return (
    <table>
      <thead>{row(token.header)}</thead>
      <tbody>
        {token.rows.map((cells, key) => (
          <Fragment key={key}>{row(cells)}</Fragment>
        ))}
      </tbody>
    </table>
  )
}

function Anchor({ href, children }: { href: string; children: ReactNode }) {
  const isOther = /^https?:/i.test(href)
  return (
    <a href={href} {...(isOther && { target: '_blank', rel: 'noopener noreferrer nofollow ugc' })}>
      {children}
    </a>
  )
}

/** Shows pictures of this site. Others become links, so that readers do not connect to unknown servers. */
function Picture({ token: { href, text, raw } }: { token: Tokens.Image }) {
  if (!SAFE_LINK.test(href)) return decode(raw)
  if (href.startsWith('/')) return <img src={href} alt={decode(text)} loading="lazy" />
  return <Anchor href={href}>{decode(text) || href}</Anchor>
}

const NAMED: Record<string, string> = {
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
}
const CODE_POINT_MAX = 0x10_ffff

/** Replaces character references. The parser keeps them, because it is made for output as HTML. */
function decode(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi,
    (reference: string, decimal?: string, hex?: string, name = '') => {
      const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16)
      if (code > 0 && code <= CODE_POINT_MAX) return String.fromCodePoint(code)
      return NAMED[name] ?? reference
    },
  )
}
