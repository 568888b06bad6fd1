/**
 * Returns the length of a text as the API counts it: code points after NFC, without surrounding white space.
 */
export function lengthOf(text: string): number {
  return [...text.normalize('NFC').trim()].length
}
