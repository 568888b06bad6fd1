/** Id of the user who last signed in to this tab. It remains when the session ends. */
let last: string | undefined

/** Stores the user's id unless one is stored already. */
export function noteViewer(id: string): void {
  last ??= id
}

/** Stores the user's id. Returns true if another user was signed in before. */
export function replaceViewer(id: string): boolean {
  const before = last
  last = id
  return before !== undefined && before !== id
}
