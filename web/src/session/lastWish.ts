/** Desired state of a toggle. It can change during a request, and the last value wins. */
export interface Wish<State> {
  isWanted: boolean
  /** The last state confirmed by the server. */
  held: State
  set: (isWanted: boolean) => Promise<State>
  /** Updates the state everywhere on the page. */
  show: (state: State) => void
}

/** Sends requests until the server's state matches the desired one. Returns the confirmed state. */
export async function fulfil<State>(wish: Wish<State>): Promise<State> {
  for (;;) {
    const { isWanted } = wish
    try {
      wish.held = await wish.set(isWanted)
    } catch (error) {
      if (wish.isWanted === isWanted) throw error
    }
    if (wish.isWanted === isWanted) return wish.held
  }
}
