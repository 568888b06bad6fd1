/** Markdown as React elements. HTML in the text stays text. */
import MarkdownIt, { type Token } from 'markdown-it'
import { createElement, Fragment, type ReactNode, useMemo } from 'react'
import styles from './Markdown.module.css'

const parser = new MarkdownIt({ html: false, linkify: true })
/** Allows only these links. Other links, such as `javascript:`, stay plain text. */
parser.validateLink = (url) => /^(?:https?:|mailto:|#|\/(?![/\\]))/i.test(url)

const LEVELS = 6

interface Props {
  text: string
  /** Level of the headings that the text marks with one `#`. */
  level?: number
  lang?: string | undefined
}

export function Markdown({ text, level = 2, lang }: Props) {
  const elements = useMemo(() => toElements(parser.parse(text, {}), level), [text, level])
  return (
    <div className={styles.text} lang={lang}>
      {elements}
    </div>
  )
}

/** Converts tokens to nested elements. The parser returns a flat list with opening and closing tokens. */
function toElements(tokens: readonly Token[], level: number): ReactNode[] {
  const lists: ReactNode[][] = [[]]
  const open: Token[] = []
  for (const [key, token] of tokens.entries()) {
    if (token.nesting === 1) {
      open.push(token)
      lists.push([])
      continue
    }
    const start = token.nesting === -1 ? open.pop() : undefined
    const children = start ? lists.pop() : undefined
    const element = start ? enclose(start, children ?? [], level) : toLeaf(token, level)
    lists.at(-1)?.push(<Fragment key={key}>{element}</Fragment>)
  }
  return lists[0] ?? []
}

function enclose(token: Token, children: ReactNode[], level: number): ReactNode {
  // The parser hides the paragraphs of lists without blank lines.
  if (token.hidden) return children
  if (token.type === 'heading_open') {
    const depth = Number(token.tag.slice(1)) - 1 + level
    return createElement(`h${Math.min(depth, LEVELS)}`, null, children)
  }
  if (token.type === 'link_open') {
    return <Anchor href={attributeOf(token, 'href')}>{children}</Anchor>
  }
  const style = attributeOf(token, 'style')
  const start = attributeOf(token, 'start')
  return createElement(
    token.tag,
    {
      ...(style && { style: { textAlign: style.replace('text-align:', '') } }),
      ...(start && { start: Number(start) }),
    },
    children,
  )
}

function attributeOf(token: Token, name: string): string {
  return String(token.attrGet(name) ?? '')
}

function toLeaf(token: Token, level: number): ReactNode {
  switch (token.type) {
    case 'inline':
      return toElements(token.children ?? [], level)
    case 'softbreak':
      return '\n'
    case 'hardbreak':
      return <br />
    case 'hr':
      return <hr />
    case 'code_inline':
      return <code>{token.content}</code>
    case 'fence':
    case 'code_block':
      return (
        <pre>
          <code>{token.content}</code>
        </pre>
      )
    case 'image':
      return <Picture token={token} />
    default:
      return token.content
  }
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
function Picture({ token }: { token: Token }) {
  const src = attributeOf(token, 'src')
  if (src.startsWith('/')) return <img src={src} alt={token.content} loading="lazy" />
  return <Anchor href={src}>{token.content || src}</Anchor>
}
