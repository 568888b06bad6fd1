import { useTexts } from '../language/texts.ts'
import styles from './Publish.module.css'
import { texts } from './texts.ts'

export type SaveState = 'unsaved' | 'saving' | 'saved' | 'failed' | 'blocked'

export function saveStateOf(
  {
    isSaving,
    hasFailed,
    isRejected,
  }: { isSaving: boolean; hasFailed: boolean; isRejected: boolean },
  { isSaved, hasMistakes }: { isSaved: boolean; hasMistakes: boolean },
): SaveState {
  if (isSaved) return 'saved'
  if (hasMistakes || isRejected) return 'blocked'
  if (isSaving) return 'saving'
  return hasFailed ? 'failed' : 'unsaved'
}

/** Says whether the draft is on the server. Screen readers announce only failures, not every save. */
export function SaveNote({ state }: { state: SaveState | undefined }) {
  const t = useTexts(texts)
  return (
    <p className={styles.note} role="status" aria-live={state === 'failed' ? 'polite' : 'off'}>
      {state && t.saveState[state]}
    </p>
  )
}
