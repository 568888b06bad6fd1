import { useTexts } from '../language/texts.ts'
import styles from './Publish.module.css'
import { texts } from './texts.ts'

type SaveState = 'unsaved' | 'saving' | 'saved' | 'failed' | 'blocked' | 'behind'

export function saveStateOf(
  {
    isSaving,
    hasFailed,
    isRejected,
  }: { isSaving: boolean; hasFailed: boolean; isRejected: boolean },
  { isSaved, hasMistakes, isBehind }: { isSaved: boolean; hasMistakes: boolean; isBehind: boolean },
): SaveState {
  if (isBehind) return 'behind'
  if (isSaved) return 'saved'
  if (hasMistakes || isRejected) return 'blocked'
  if (isSaving) return 'saving'
  return hasFailed ? 'failed' : 'unsaved'
}

/**
 * Status line that shows whether the draft is saved on the server. Screen readers announce problems only, not every
 * save.
 */
export function SaveNote({ state }: { state: SaveState | undefined }) {
  const t = useTexts(texts)
  const isProblem = state === 'failed' || state === 'blocked' || state === 'behind'
  return (
    <p className={styles.saveNote} role="status" aria-live={isProblem ? 'polite' : 'off'}>
      {state && t.saveState[state]}
    </p>
  )
}
