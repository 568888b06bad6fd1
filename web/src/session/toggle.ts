import { useMutation } from '@tanstack/react-query'
import { isPlazaError } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { texts } from '../ui/texts.ts'
import { toast } from '../ui/toast.ts'
import { asMember } from './asking.ts'

interface Toggle<State> {
  before: State
  wanted: State
  /** Asks the server; gives what then holds. */
  set: () => Promise<State>
  /** Puts a state wherever it is seen. */
  show: (state: State) => void
}

/** Gives what turns something around: shown at once, taken back where the server did not take it. */
export function useToggle<State>({ before, wanted, set, show }: Toggle<State>): () => void {
  const t = useTexts(texts)
  const { mutate, isPending } = useMutation({
    mutationFn: set,
    // What was before is kept with the act: by the time it fails, this runs with what was shown since.
    onMutate: () => {
      show(wanted)
      return before
    },
    onSuccess: show,
    onError: (error, _, kept = before) => {
      show(kept)
      // What was refused for a reason, such as too much at once, is told with the server's own words.
      const isRefused = isPlazaError(error) && error.status >= 400 && error.status < 500
      toast(isRefused ? t.undoneSince(error.message) : t.undone, { isBad: true })
    },
  })
  return () => !isPending && asMember(() => mutate())
}
