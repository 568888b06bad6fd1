/**
 * The tokeniser of search. Both engines index its tokens unchanged, so they match the same rows.
 * - Text is first folded: NFKC, lower case, without the diacritics of Latin letters.
 * - In Hangul, kana and Han text, each character and each overlapping pair is a token.
 * - In other text, each run of letters and digits is one token.
 */

/** Version of the tokeniser. Increase with every change: the server indexes documents of earlier versions again. */
export const TOKENS_VERSION = 1

/** Maximum characters of a token. PostgreSQL accepts lexemes up to 2046 bytes. */
const TOKEN_MAX = 64

/** Hangul, kana and Han characters. U+30FC (prolonged sound mark) belongs to no single script, but counts as kana. */
const CJK = String.raw`[\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}\u30fc]`
const WORD = String.raw`[[\p{L}\p{N}\p{M}]--${CJK}]`
const IS_CJK = new RegExp(CJK, 'v')
const IS_WORD = new RegExp(WORD, 'v')
const VARIATION_SELECTORS = /[\ufe00-\ufe0f]|\udb40[\udd00-\uddef]/g
/**
 * Quick test for texts that ACCENTED may match. Testing these few ranges is faster than testing the Unicode scripts
 * in ACCENTED.
 */
const MAY_BE_ACCENTED =
  /[\u00c0-\u02ff]|[\u0300-\u036f]|[\u1ab0-\u1eff]|[\u20d0-\u20ff]|[\u2c60-\u2c7f]|[\ua720-\uab6f]/
const ACCENTED = /[\p{sc=Latin}--[a-z]]\p{M}*|[a-z]\p{M}+/gv
const NOT_ASCII = /[^\0-\x7f]/

export function fold(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase()
  const lower = text.replace(VARIATION_SELECTORS, '').normalize('NFKC').toLowerCase()
  if (!MAY_BE_ACCENTED.test(lower)) return lower
  return lower.replace(ACCENTED, (letter) => letter.normalize('NFD').replace(/\p{M}+/gu, ''))
}

const GAP = 1
const SYMBOL = 2
const WORD_PART = 3
const CJK_PART = 4
/** Classes of all code points, computed on demand. Matching each character with a regular expression is slow. */
const classes = new Uint8Array(0x11_0000)

function classOf(code: number): number {
  const known = classes[code]
  if (known) return known
  const character = String.fromCodePoint(code)
  const found = IS_CJK.test(character)
    ? CJK_PART
    : IS_WORD.test(character)
      ? WORD_PART
      : /\p{S}/u.test(character)
        ? SYMBOL
        : GAP
  classes[code] = found
  return found
}

interface Run {
  text: string
  index: number
  kind: number
}

/** Splits folded text into runs of characters of the same class. */
function runsOf(folded: string): Run[] {
  const runs: Run[] = []
  let start = 0
  let kind = 0
  for (let index = 0; index <= folded.length; ) {
    const code = folded.codePointAt(index)
    const next = code === undefined ? 0 : classOf(code)
    if (next !== kind) {
      if (kind !== 0) runs.push({ text: folded.slice(start, index), index: start, kind })
      start = index
      kind = next
    }
    index += code !== undefined && code > 0xffff ? 2 : 1
  }
  return runs
}

const isTerm = ({ kind }: Run) => kind >= WORD_PART

/**
 * Returns folded text in the form that phrases match. White space and punctuation become one space; symbols
 * such as + stay.
 */
function spaced(folded: string): string {
  return runsOf(folded)
    .map(({ text, kind }) => (kind === GAP ? ' ' : text))
    .join('')
}

function cutToken(word: string): string {
  return word.length <= TOKEN_MAX ? word : [...word].slice(0, TOKEN_MAX).join('')
}

/** Returns the characters and the overlapping pairs of a CJK text. */
function charactersOf(run: string): { characters: string[]; pairs: string[] } {
  const characters = [...run]
  return { characters, pairs: characters.slice(1).map((next, index) => characters[index] + next) }
}

export function tokensOf(texts: readonly (string | null)[]): Set<string> {
  const tokens = new Set<string>()
  for (const text of texts) {
    for (const run of runsOf(fold(text ?? ''))) {
      if (run.kind === WORD_PART) tokens.add(cutToken(run.text))
      if (run.kind !== CJK_PART) continue
      const { characters, pairs } = charactersOf(run.text)
      for (const token of characters) tokens.add(token)
      for (const token of pairs) tokens.add(token)
    }
  }
  return tokens
}

/** A text with its folded and spaced forms, which are computed on demand. */
export class Field {
  readonly #text: string
  #folded: string | undefined
  #spaced: string | undefined

  constructor(text: string | null) {
    this.#text = text ?? ''
  }

  get folded(): string {
    return (this.#folded ??= fold(this.#text))
  }

  get spaced(): string {
    return (this.#spaced ??= spaced(this.folded))
  }
}

export interface IndexToken {
  token: string
  /** True when tokens that begin with `token` match too. */
  isPrefix: boolean
}

export interface Term {
  matches(field: Field): boolean
  /** Tokens that the index looks up to find documents with a matching field. */
  tokens: readonly IndexToken[]
  /** True when every document with a matching field has all `tokens`. */
  isCovered: boolean
  /** True when every document with all `tokens` has a matching field. */
  isExact: boolean
}

/** Returns the terms of a text without quotation marks: one for each word and each run of CJK characters. */
export function termsOf(text: string): Term[] {
  return runsOf(fold(text))
    .filter(isTerm)
    .map((run) => (run.kind === CJK_PART ? runTerm(run.text) : wordTerm(run.text)))
}

function runTerm(run: string): Term {
  const { pairs } = charactersOf(run)
  const needles = pairs.length > 0 ? pairs : [run]
  return {
    matches: ({ folded }) => needles.every((needle) => folded.includes(needle)),
    tokens: needles.map((token) => ({ token, isPrefix: false })),
    isCovered: true,
    isExact: needles.length === 1,
  }
}

function wordTerm(word: string): Term {
  const isPrefix = [...word].length > 1
  // The expression begins with the word, so that the engine tests the lookbehind only where the word occurs.
  const form = new RegExp(`${word}(?<!${WORD}${word})${isPrefix ? '' : `(?!${WORD})`}`, 'v')
  const token = cutToken(word)
  return {
    matches: ({ folded }) => form.test(folded),
    tokens: [{ token, isPrefix }],
    isCovered: true,
    isExact: token === word,
  }
}

/** Returns the term of a phrase, or undefined for a phrase of only punctuation. */
function phraseTerm(text: string): Term | undefined {
  const phrase = spaced(fold(text)).trim()
  if (phrase === '') return undefined
  const tokens: IndexToken[] = []
  let start: string | undefined
  for (const { text: run, index, kind } of runsOf(phrase).filter(isTerm)) {
    const isLast = index + run.length === phrase.length
    if (kind === CJK_PART) tokens.push(...runTerm(run).tokens)
    else if (index === 0) start = run
    else tokens.push({ token: cutToken(run), isPrefix: isLast })
  }
  const isCovered = tokens.length > 0
  // With this token, the index finds every document with a word that begins with the phrase, and possibly others.
  if (!isCovered && start !== undefined) tokens.push({ token: cutToken(start), isPrefix: true })
  return {
    matches: (field) => field.spaced.includes(phrase),
    tokens,
    isCovered,
    isExact: false,
  }
}

export interface Query {
  /** Terms that must all match. */
  terms: Term[]
  /** Groups of terms. The query excludes every document that matches all terms of a group. */
  exclusions: Term[][]
}

const PARTS = /-?"([^"]*)"|[^\s"]+/gu

/**
 * Reads a query: `"…"` is a phrase, and a leading `-` excludes. Everything else is text. A query without terms
 * matches nothing.
 */
export function readSearch(q: string): Query {
  const query: Query = { terms: [], exclusions: [] }
  for (const { 0: part, 1: phrase, index } of q.matchAll(PARTS)) {
    const isExcluded = part.startsWith('-') && (index === 0 || /\s/u.test(q[index - 1] as string))
    const found = phrase === undefined ? termsOf(part) : [phraseTerm(phrase)]
    const terms = found.filter((term) => term !== undefined)
    if (terms.length === 0) continue
    if (isExcluded) query.exclusions.push(terms)
    else query.terms.push(...terms)
  }
  return query
}

export interface WeightedField {
  field: Field
  weight: number
}

/**
 * Returns the sum of the terms' weights. A term's weight is the highest weight of the fields that it matches. Returns
 * undefined unless every term matches and no exclusion does.
 */
export function scoreOf({ terms, exclusions }: Query, fields: readonly WeightedField[]) {
  const isFound = (term: Term) => fields.some(({ field }) => term.matches(field))
  let score = 0
  for (const term of terms) {
    const weights = fields.filter(({ field }) => term.matches(field)).map(({ weight }) => weight)
    if (weights.length === 0) return undefined
    score += Math.max(...weights)
  }
  return exclusions.some((group) => group.every(isFound)) ? undefined : score
}
