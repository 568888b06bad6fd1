import type { Migration } from './words.ts'

/** Folds letters whose lower case depends on their place or language, as `foldCase` does. */
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
