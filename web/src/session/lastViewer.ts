/** Id of the last signed-in user in this tab, also after the session has ended. */
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
