/** What somebody wishes of one thing. It can change while the server is asked: the last wish wins. */
export interface Wish<State> {
  isWanted: boolean
  /** What holds as far as the server said. */
  held: State
  set: (isWanted: boolean) => Promise<State>
  /** Puts a state wherever it is seen. */
  show: (state: State) => void
}

/** Asks the server until what was asked is what is wished; gives what then holds. */
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
