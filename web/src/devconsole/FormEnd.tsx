import { useTexts } from '../language/texts.ts'
import { Button } from '../ui/Button.tsx'
import { restOf } from '../ui/fieldErrors.ts'
import { Problem } from '../ui/Problem.tsx'
import styles from './console.module.css'
import { texts } from './texts.ts'

interface Props {
  error: unknown
  /** Names of the fields that show their own errors. */
  fields: readonly string[]
  /** Label of the submit button. */
  submit: string
  isBusy: boolean
  onCancel: () => void
}

/** Last part of a form: the buttons, and errors that belong to no field. */
export function FormEnd({ error, fields, submit, isBusy, onCancel }: Props) {
  const t = useTexts(texts)
  const rest = restOf(error, fields)
  return (
    <>
      {rest != null && <Problem error={rest} />}
      <div className={styles.buttons}>
        <Button type="submit" look="primary" busy={isBusy}>
          {submit}
        </Button>
        <Button onClick={onCancel}>{t.cancel}</Button>
      </div>
    </>
  )
}
