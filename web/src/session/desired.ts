/** Desired state of a toggle. It can change during a request, and the last value wins. */
export interface Desired<State> {
  desired: boolean
  /** The last state confirmed by the server. */
  confirmed: State
  set: (desired: boolean) => Promise<State>
  /** Updates the state everywhere on the page. */
  show: (state: State) => void
}

/** Sends requests until the server's state matches the desired one. Returns the confirmed state. */
export async function sync<State>(wish: Desired<State>): Promise<State> {
  for (;;) {
    const { desired } = wish
    try {
      wish.confirmed = await wish.set(desired)
    } catch (error) {
      if (wish.desired === desired) throw error
    }
    if (wish.desired === desired) return wish.confirmed
  }
}
