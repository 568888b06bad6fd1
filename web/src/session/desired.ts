/** Desired state of a toggle. The user can change it during a request. The last value wins. */
export interface Desired<State> {
  desired: boolean
  confirmed: State
  set: (desired: boolean) => Promise<State>
  show: (state: State) => void
}

/**
 * Sends requests until the server's state matches the desired state. Returns the confirmed state. Throws when
 * the last request fails.
 */
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
