/** Who was last signed in in this tab: known also after their session has ended. */
let last: string | undefined

/** Notes who it is, where nobody was before. */
export function noteViewer(id: string): void {
  last ??= id
}

/** Notes who signed in; gives whether somebody else was before. */
export function isAnother(id: string): boolean {
  const before = last
  last = id
  return before !== undefined && before !== id
}
