import { useMutation, useQueryClient } from '@tanstack/react-query'
import { isPlazaError } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { problemText } from '../ui/problemText.ts'
import { texts } from '../ui/texts.ts'
import { toast } from '../ui/toast.ts'
import { asMember } from './asking.ts'
import { sync, type Desired } from './desired.ts'

interface Toggle<State> {
  /** Identifies the toggle, wherever it is shown on the page. */
  key: readonly string[]
  isOn: boolean
  stateOf: (isOn: boolean) => State
  /** Sends the request. Resolves to the confirmed state. */
  set: (desired: boolean) => Promise<State>
  /** Updates the state everywhere on the page. */
  show: (state: State) => void
}

/**
 * Returns a function that toggles a state optimistically and reverts it on failure. A press during a request
 * is sent afterwards, so the last press wins.
 */
export function useToggle<State>({ key, isOn, stateOf, set, show }: Toggle<State>): () => void {
  const t = useTexts(texts)
  const cache = useQueryClient().getMutationCache()
  const mutationKey = ['toggle', ...key]
  // The handlers use only values of `wish`. When a paused mutation resumes, the variables of this closure may
  // be outdated.
  const { mutate } = useMutation<State, Error, Desired<State>>({
    mutationKey,
    mutationFn: sync,
    onSuccess: (state, wish) => wish.show(state),
    onError: (error, wish) => {
      wish.show(wish.confirmed)
      // When the server rejects the request, its message explains why.
      const isRefused = isPlazaError(error) && error.status >= 400 && error.status < 500
      toast(isRefused ? t.undoneSince(problemText(error, t)) : t.undone, { isBad: true })
    },
  })
  const act = (desired: boolean) => {
    const underWay = cache.find<State, Error, Desired<State>>({ mutationKey, status: 'pending' })
    const wish = underWay?.state.variables
    if (wish) wish.desired = desired
    else mutate({ desired: desired, confirmed: stateOf(isOn), set, show })
    show(stateOf(desired))
  }
  return () => {
    // Fixed before signing in, which may change the displayed state.
    const desired = !isOn
    asMember(() => act(desired))
  }
}
