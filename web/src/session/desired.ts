/**
 * Desired and confirmed state of a toggle. The user can change the desired state during a request. The last value
 * wins.
 */
export interface Desired<State> {
  desired: boolean
  confirmed: State
  /** Resolves to the confirmed state. */
  set: (desired: boolean) => Promise<State>
  show: (state: State) => void
}

/**
 * Sends requests until the server's state matches the desired state. Returns the confirmed state. Throws when
 * the last request fails.
 */
export async function sync<State>(toggle: Desired<State>): Promise<State> {
  for (;;) {
    const { desired } = toggle
    try {
      toggle.confirmed = await toggle.set(desired)
    } catch (error) {
      if (toggle.desired === desired) throw error
    }
    if (toggle.desired === desired) return toggle.confirmed
  }
}
