import { useMutation, useQueryClient } from '@tanstack/react-query'
import { isPlazaError } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { problemText } from '../ui/problemText.ts'
import { texts } from '../ui/texts.ts'
import { toast } from '../ui/toast.ts'
import { asMember } from './asking.ts'
import { fulfil, type Wish } from './lastWish.ts'

interface Toggle<State> {
  /** Names what is turned around, wherever it is seen. */
  key: readonly string[]
  isOn: boolean
  stateOf: (isOn: boolean) => State
  /** Asks the server; gives what then holds. */
  set: (isWanted: boolean) => Promise<State>
  /** Puts a state wherever it is seen. */
  show: (state: State) => void
}

/**
 * Gives what turns something around: shown at once, taken back where the server did not take it. Pressed
 * again while the server is asked, the last press holds.
 */
export function useToggle<State>({ key, isOn, stateOf, set, show }: Toggle<State>): () => void {
  const t = useTexts(texts)
  const cache = useQueryClient().getMutationCache()
  const mutationKey = ['toggle', ...key]
  // All that is done is taken from the wish: by the time a paused one goes on, the rest of what this
  // closes over is what was shown since.
  const { mutate } = useMutation<State, Error, Wish<State>>({
    mutationKey,
    mutationFn: fulfil,
    onSuccess: (state, wish) => wish.show(state),
    onError: (error, wish) => {
      wish.show(wish.held)
      // What was refused for a reason, such as too much at once, is told with the server's own words.
      const isRefused = isPlazaError(error) && error.status >= 400 && error.status < 500
      toast(isRefused ? t.undoneSince(problemText(error, t)) : t.undone, { isBad: true })
    },
  })
  const act = (isWanted: boolean) => {
    const underWay = cache.find<State, Error, Wish<State>>({ mutationKey, status: 'pending' })
    const wish = underWay?.state.variables
    if (wish) wish.isWanted = isWanted
    else mutate({ isWanted, held: stateOf(isOn), set, show })
    show(stateOf(isWanted))
  }
  return () => {
    // What is wished is settled by the press: signing in may change what is shown.
    const isWanted = !isOn
    asMember(() => act(isWanted))
  }
}
