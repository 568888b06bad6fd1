/** Form fields with label, hint and error. These are linked to the input for screen readers. */
import { type ComponentProps, type ReactNode, useId } from 'react'
import styles from './Field.module.css'

interface Around {
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
  /** Hides the label visually. Screen readers still announce it. */
  hidesLabel?: boolean
}

/** Attributes that link an input to its label, hint and error. */
interface Wiring {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

/** Renders label, hint and error around an input. `children` receives the attributes that link them. */
export function Field({
  label,
  hint,
  error,
  hidesLabel,
  children,
}: Around & { children: (wiring: Wiring) => ReactNode }) {
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={hidesLabel ? 'unseen' : styles.label}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={styles.error} role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

export function TextField({
  label,
  hint,
  error,
  hidesLabel,
  ...rest
}: Around & ComponentProps<'input'>) {
  return (
    <Field {...{ label, hint, error, hidesLabel: hidesLabel ?? false }}>
      {(wiring) => <input type="text" className={styles.input} {...rest} {...wiring} />}
    </Field>
  )
}

export function TextArea({
  label,
  hint,
  error,
  hidesLabel,
  ...rest
}: Around & ComponentProps<'textarea'>) {
  return (
    <Field {...{ label, hint, error, hidesLabel: hidesLabel ?? false }}>
      {(wiring) => (
        <textarea rows={4} className={`${styles.input} ${styles.area}`} {...rest} {...wiring} />
      )}
    </Field>
  )
}

/** Select field. Its `children` are the options. */
export function Select({
  label,
  hint,
  error,
  hidesLabel,
  ...rest
}: Around & ComponentProps<'select'>) {
  return (
    <Field {...{ label, hint, error, hidesLabel: hidesLabel ?? false }}>
      {(wiring) => (
        <span className={styles.selecting}>
          <select className={styles.input} {...rest} {...wiring} />
        </span>
      )}
    </Field>
  )
}

export function Checkbox({
  label,
  hint,
  ...rest
}: Pick<Around, 'label' | 'hint'> & ComponentProps<'input'>) {
  const id = useId()
  return (
    <div className={styles.check}>
      <input type="checkbox" {...rest} id={id} aria-describedby={hint ? `${id}-hint` : undefined} />
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  )
}
