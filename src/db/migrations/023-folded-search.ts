import type { Migration } from './words.ts'

/**
 * Applies `foldCase` to the stored search texts. Some letters have several lower-case forms, and `foldCase`
 * returns the same form for all.
 */
export const foldedSearch: Migration = {
  name: 'folded search',
  up: () => {
    const folded = [
      ['ς', 'σ'],
      ['ß', 'ss'],
      ['ı', 'i'],
      ['i\u0307', 'i'],
    ].reduce((text, [from, to]) => `replace(${text}, '${from}', '${to}')`, 'search_text')
    return [`update users set search_text = ${folded} where search_text <> ${folded}`]
  },
}
