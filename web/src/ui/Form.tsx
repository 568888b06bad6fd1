import { type FormEvent, type ReactNode, useEffect } from 'react'
import { useTexts } from '../language/texts.ts'
import { Button } from './Button.tsx'
import styles from './Field.module.css'
import { restOf, useWrongField } from './Field.tsx'
import { Problem } from './Problem.tsx'
import { texts } from './texts.ts'

export interface FormProps {
  error: unknown
  /** Names of the fields that show their own errors. */
  fields?: readonly string[]
  /** Message to show instead of the error. */
  explanation?: string | false
  /** Number of submissions that the form itself rejected. */
  tries?: number
  submit: string
  isBusy: boolean
  /** Disables the button, because there is nothing to save. */
  isUnchanged?: boolean
  onSubmit: () => void
  onCancel?: (() => void) | undefined
  /** Text next to the button. */
  beside?: ReactNode
  /** Lets the browser validate the fields before a submission. */
  isNative?: boolean
  /** Focuses the first text field when the form appears. */
  takesFocus?: boolean
  className?: string | undefined
  children: ReactNode
}

const TEXT_FIELD = 'input:not([type=radio], [type=checkbox], [type=file], [type=hidden]), textarea'

/** Form with its error and its buttons. Focuses the first invalid field after a rejected submission. */
export function Form(props: FormProps) {
  const { error, fields = [], explanation, tries, submit, isBusy, onSubmit, onCancel } = props
  const { isNative = false, takesFocus = false, isUnchanged, beside, className, children } = props
  const t = useTexts(texts)
  const form = useWrongField(error, tries)
  const rest = explanation ? null : restOf(error, fields)
  useEffect(() => {
    if (takesFocus) form.current?.querySelector<HTMLElement>(TEXT_FIELD)?.focus()
  }, [takesFocus, form])
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!isBusy) onSubmit()
  }
  return (
    <form
      ref={form}
      className={[styles.form, className].filter(Boolean).join(' ')}
      onSubmit={send}
      noValidate={!isNative}
    >
      {children}
      {rest != null && <Problem error={rest} />}
      {explanation && (
        <p className={styles.explanation} role="alert">
          {explanation}
        </p>
      )}
      <div className={styles.buttons}>
        <Button type="submit" look="primary" busy={isBusy} disabled={isUnchanged}>
          {submit}
        </Button>
        {beside}
        {onCancel && <Button onClick={onCancel}>{t.cancel}</Button>}
      </div>
    </form>
  )
}
