const EXCERPT_LENGTH = 200

/** Returns the first 200 characters of a text. */
export function excerptOf(text: string): string {
  return [...text].slice(0, EXCERPT_LENGTH).join('')
}
