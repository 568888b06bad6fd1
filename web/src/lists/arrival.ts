/** How the reader came to the page they are on: by a link, or on the way back to where they were. */

let cameBack = false

/** Tells of each move through the history; `REPLACE` stays where one is. */
export function noteMove(type: 'PUSH' | 'REPLACE' | 'BACK' | 'FORWARD' | 'GO'): void {
  if (type !== 'REPLACE') cameBack = type !== 'PUSH'
}

/** Whether what was left must be found again as it was. */
export function isReturn(): boolean {
  return cameBack
}
