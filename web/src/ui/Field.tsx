/** Form fields: a label that is always there, a hint, and what is wrong, tied to the input. */
import { type ComponentProps, type ReactNode, useId } from 'react'
import styles from './Field.module.css'

interface Around {
  label: ReactNode
  hint?: ReactNode
  /** What is wrong with the value, in words. */
  error?: string | undefined
  /** Reads the label aloud without showing it. */
  hidesLabel?: boolean
}

/** What ties an input to what stands around it. */
interface Wiring {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

/** What stands around an input; `children` gets what ties it to that. */
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

/** `children` are its options. */
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
