import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTexts } from '../language/texts.ts'
import { undoneText } from '../ui/problemText.ts'
import { texts } from '../ui/texts.ts'
import { toast } from '../ui/toast.ts'
import { asMember } from './viewer.ts'
import { sync, type Desired } from './desired.ts'

interface Toggle<State> extends Pick<Desired<State>, 'set' | 'show'> {
  /** Identifies the toggle. All buttons with the same key share one request. */
  key: readonly string[]
  isOn: boolean
  stateOf: (isOn: boolean) => State
}

/**
 * Returns a function that toggles a state immediately and reverts it on failure. Of several presses during a request,
 * only the last is sent, after the request.
 */
export function useToggle<State>({ key, isOn, stateOf, set, show }: Toggle<State>): () => void {
  const t = useTexts(texts)
  const cache = useQueryClient().getMutationCache()
  const mutationKey = ['toggle', ...key]
  // The handlers read the state and `show` from `toggle`, because variables of this closure can be outdated when a
  // paused mutation resumes.
  const { mutate } = useMutation<State, Error, Desired<State>>({
    mutationKey,
    mutationFn: sync,
    onSuccess: (state, toggle) => toggle.show(state),
    onError: (error, toggle) => {
      toggle.show(toggle.confirmed)
      toast(undoneText(error, t), { isBad: true })
    },
  })
  const act = (desired: boolean) => {
    const underWay = cache.find<State, Error, Desired<State>>({ mutationKey, status: 'pending' })
    const toggle = underWay?.state.variables
    if (toggle) toggle.desired = desired
    else mutate({ desired, confirmed: stateOf(isOn), set, show })
    show(stateOf(desired))
  }
  return () => {
    // Computes the desired state before the sign-in, which can change `isOn`.
    const desired = !isOn
    asMember(() => act(desired))
  }
}
