import { useTexts } from '../language/texts.ts'
import styles from './Publish.module.css'
import { texts } from './texts.ts'
import type { useAutosave } from './useAutosave.ts'

type SaveState = 'unsaved' | 'saving' | 'saved' | 'failed' | 'blocked' | 'behind'

interface FormState {
  isSaved: boolean
  hasMistakes: boolean
  isBehind: boolean
}

export function saveStateOf(
  { isSaving, hasFailed, isRejected }: ReturnType<typeof useAutosave>,
  { isSaved, hasMistakes, isBehind }: FormState,
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
