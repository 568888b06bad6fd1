/** Builds full-text query expressions in the syntax of each engine. */
import { type IndexToken, type Query, type Term, termsOf } from '../indexing/tokens.ts'
import type { Engine } from '../db/statement.ts'

interface Syntax {
  token(text: string, isPrefix: boolean): string
  and: string
  or: string
  except(matched: string, excluded: string): string
}

/** Full-text syntax of each engine. Tokens need no escaping: they contain no quotation marks, backslashes or spaces. */
const SYNTAX: Record<Engine, Syntax> = {
  sqlite: {
    token: (text, isPrefix) => `"${text}"${isPrefix ? '*' : ''}`,
    and: ' AND ',
    or: ' OR ',
    except: (matched, excluded) => `(${matched}) NOT (${excluded})`,
  },
  postgres: {
    token: (text, isPrefix) => `'${text}'${isPrefix ? ':*' : ''}`,
    and: ' & ',
    or: ' | ',
    except: (matched, excluded) => `(${matched}) & !(${excluded})`,
  },
}

/** Parameters of a search in the index. */
export type Lookup = {
  /** Full-text expression. */
  expression: string
  /** JSON list of strings. Every matching document has a token that begins with each of them. */
  required: string
}

const lookup = (expression: string, required: readonly string[]): Lookup => ({
  expression,
  required: JSON.stringify(required),
})

function matchTokens(engine: Engine, kind: string, tokens: readonly IndexToken[]): string {
  const { token, and } = SYNTAX[engine]
  return tokens.map(({ token: text, isPrefix }) => token(kind + text, isPrefix)).join(and)
}

/**
 * Returns the lookup of the documents of a kind that can match all terms. `marks` are further tokens that the documents
 * must have. Returns undefined when no term has tokens.
 */
export function matchAll(
  engine: Engine,
  kind: string,
  { terms, exclusions }: Query,
  marks: readonly string[] = [],
): Lookup | undefined {
  const tokens = terms.flatMap((term) => term.tokens)
  if (tokens.length === 0) return undefined
  const marked = marks.map((token) => ({ token, isPrefix: false }))
  const expression = matchTokens(engine, kind, [...tokens, ...marked])
  // Uses only exclusions that the index finds exactly. An inexact one could exclude documents that match the query.
  const excluded = exclusions.filter((group) => group.every(({ isExact }) => isExact))
  const { or, except } = SYNTAX[engine]
  const without = excluded.map((group) => `(${matchTerms(engine, kind, group)})`).join(or)
  return lookup(
    without === '' ? expression : except(expression, without),
    tokens.map(({ token }) => kind + token),
  )
}

function matchTerms(engine: Engine, kind: string, terms: readonly Term[]): string {
  return matchTokens(
    engine,
    kind,
    terms.flatMap(({ tokens }) => tokens),
  )
}

/** Returns the lookup of the documents of a kind that can match any term, or undefined when no term has tokens. */
export function matchAny(engine: Engine, kind: string, { terms }: Query): Lookup | undefined {
  const groups = terms.filter(({ tokens }) => tokens.length > 0)
  if (groups.length === 0) return undefined
  const any = groups.map((term) => `(${matchTerms(engine, kind, [term])})`)
  return lookup(any.join(SYNTAX[engine].or), [kind])
}

/**
 * Returns the lookup of the documents of a kind that contain the tokens of the text. The last token may be the start of
 * a longer one. Returns undefined for a text without tokens.
 */
export function matchPrefix(engine: Engine, kind: string, text: string): Lookup | undefined {
  const tokens = termsOf(text).flatMap((term) => term.tokens)
  const last = tokens.pop()
  if (!last) return undefined
  const words = [...tokens, { ...last, isPrefix: true }]
  return lookup(
    matchTokens(engine, kind, words),
    words.map(({ token }) => kind + token),
  )
}
