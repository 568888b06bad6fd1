/** Renders Markdown as React elements. HTML in the text is shown as plain text. */
import type { MarkedToken, Token, Tokens } from 'marked'
import { createElement, Fragment, type ReactNode, useMemo } from 'react'
import styles from './Markdown.module.css'
import { decode, isSafeLink, parse } from './parse.ts'

const LEVELS = 6

interface Props {
  text: string
  /** Level of the headings that the text marks with one `#`. */
  level?: number
  lang?: string | undefined
}

export function Markdown({ text, level = 2, lang }: Props) {
  const elements = useMemo(() => toElements(parse(text), level), [text, level])
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
      if (!isSafeLink(token.href)) return decode(token.raw)
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

/** Shows pictures of this site. Other pictures become links, so that readers do not connect to unknown servers. */
function Picture({ token: { href, text, raw } }: { token: Tokens.Image }) {
  if (!isSafeLink(href)) return decode(raw)
  if (href.startsWith('/')) return <img src={href} alt={decode(text)} loading="lazy" />
  return <Anchor href={href}>{decode(text) || href}</Anchor>
}
