/** Id of the user who last signed in to this tab. It remains when the session ends. */
let last: string | undefined

export function noteViewer(id: string): void {
  last ??= id
}

/** Remembers the signed-in user. Returns true if another user was signed in before. */
export function replaceViewer(id: string): boolean {
  const before = last
  last = id
  return before !== undefined && before !== id
}
