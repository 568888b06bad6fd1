/** The length of a text as the API counts it: composed, without white space around it, in code points. */
export function lengthOf(text: string): number {
  return [...text.normalize('NFC').trim()].length
}
