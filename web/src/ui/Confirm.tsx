import { type FormEvent, type ReactNode, useId } from 'react'
import { useTexts } from '../language/texts.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import styles from './Dialog.module.css'
import { Problem } from './Problem.tsx'
import { texts } from './texts.ts'

interface Props {
  isOpen: boolean
  onClose: () => void
  title: string
  /** Text about the consequences, and whether the action can be undone. */
  description?: ReactNode
  /** Button label, a verb. */
  act: string
  isDangerous?: boolean
  /** Sentence about missing input. If present, the button focuses the empty field instead of confirming. */
  missing?: string | false | undefined
  isBusy: boolean
  error: unknown
  onConfirm: () => void
  /** Further form fields. */
  children?: ReactNode
}

/** Confirmation dialog. It remains open while the action runs and after a failure. */
export function Confirm({
  isOpen,
  onClose,
  title,
  description,
  act,
  isDangerous = false,
  missing,
  isBusy,
  error,
  onConfirm,
  children,
}: Props) {
  const t = useTexts(texts)
  const why = useId()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (missing) focusMissing(event.currentTarget)
    else if (!isBusy) onConfirm()
  }
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title} description={description}>
      <form onSubmit={submit} className={styles.form}>
        {children}
        {error != null && <Problem error={error} />}
        {missing && (
          <p id={why} className={styles.missing}>
            {missing}
          </p>
        )}
        <div className={styles.actions}>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button
            type="submit"
            look={isDangerous ? 'danger' : 'primary'}
            busy={isBusy}
            aria-disabled={missing ? true : undefined}
            aria-describedby={missing ? why : undefined}
          >
            {act}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** Focuses the first empty field, or the first field if none is empty. */
function focusMissing(form: HTMLFormElement): void {
  const fields = [
    ...form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea'),
  ]
  const field = fields.find(({ value }) => value === '') ?? fields[0]
  field?.focus()
}
