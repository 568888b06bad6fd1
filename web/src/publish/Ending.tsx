import type { ReactNode } from 'react'
import { useTexts } from '../language/texts.ts'
import { Button } from '../ui/Button.tsx'
import { FieldError } from '../ui/Field.tsx'
import { Problem } from '../ui/Problem.tsx'
import styles from './Publish.module.css'
import { texts } from './texts.ts'

interface Props {
  obstacle: string | undefined
  error: unknown
  busy: Record<'publish' | 'save', boolean>
  /** True while a pressed button waits for uploads. */
  isWaiting?: boolean
  isDraft?: boolean
  canSave?: boolean
  onPublish: () => void
  onAgain: () => void
  children?: ReactNode
}

/** Buttons at the end of a form: publish, which only drafts have, and save, which submits the form. */
export function Ending(props: Props) {
  const { obstacle, error, busy, isWaiting, isDraft = true, canSave = true } = props
  const t = useTexts(texts)
  return (
    <div className={styles.actions}>
      <FieldError>{obstacle}</FieldError>
      {isWaiting && (
        <p className={styles.note} role="status">
          {t.waitingForFiles}
        </p>
      )}
      {error != null && <Problem error={error} retry={props.onAgain} />}
      {isDraft && (
        <Button look="primary" wide busy={busy.publish} onClick={props.onPublish}>
          {t.publishNow}
        </Button>
      )}
      <Button
        type="submit"
        look={isDraft ? 'quiet' : 'primary'}
        wide
        busy={busy.save}
        disabled={!canSave}
      >
        {isDraft ? t.saveDraft : t.saveChanges}
      </Button>
      {props.children}
    </div>
  )
}
