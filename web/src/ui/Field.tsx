/** Form fields. Base UI links label, hint and error to the input for screen readers. */
import { Field as Base } from '@base-ui/react/field'
import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useId,
} from 'react'
import styles from './Field.module.css'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { texts } from './texts.ts'

interface Around {
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
  hidesLabel?: boolean
}

export function Field(props: Around & { children: ReactNode }) {
  const { label, hint, error, hidesLabel, children } = props
  return (
    <Base.Root className={styles.field} invalid={Boolean(error)}>
      <Base.Label className={hidesLabel ? 'unseen' : styles.label}>{label}</Base.Label>
      {children}
      <Hint>{hint}</Hint>
      {error && (
        <Base.Error match role="alert" className={styles.error}>
          {error}
        </Base.Error>
      )}
    </Base.Root>
  )
}

/** Error of a group of fields. Renders nothing if there is no error. */
export function FieldError({ children }: { children: ReactNode }) {
  return (
    children && (
      <p className={styles.error} role="alert">
        {children}
      </p>
    )
  )
}

function Hint({ children }: { children: ReactNode }) {
  return children && <Base.Description className={styles.hint}>{children}</Base.Description>
}

/**
 * Adds the attributes of a `Field` to its input element. Only `error` makes the input invalid, because Base
 * UI would also mark an empty required field on Enter, without showing a text.
 */
export function FieldInput({
  error,
  children,
}: Pick<Around, 'error'> & { children: ReactElement }) {
  return <Base.Control aria-invalid={error ? true : undefined} render={children} />
}

export function TextField(props: Around & ComponentProps<'input'>) {
  const { label, hint, error, hidesLabel = false, ...rest } = props
  return (
    <Field {...{ label, hint, error, hidesLabel }}>
      <FieldInput error={error}>
        <input type="text" className={styles.input} {...rest} />
      </FieldInput>
    </Field>
  )
}

export function TextArea(props: Around & ComponentProps<'textarea'>) {
  const { label, hint, error, hidesLabel = false, ...rest } = props
  return (
    <Field {...{ label, hint, error, hidesLabel }}>
      <FieldInput error={error}>
        <textarea rows={4} className={`${styles.input} ${styles.area}`} {...rest} />
      </FieldInput>
    </Field>
  )
}

/** Drop-down list. It is a native element, so that phones show their own picker. */
export function Select(props: Around & ComponentProps<'select'>) {
  const { label, hint, error, hidesLabel = false, ...rest } = props
  return (
    <Field {...{ label, hint, error, hidesLabel }}>
      <span className={styles.selecting}>
        <FieldInput error={error}>
          <select className={styles.input} {...rest} />
        </FieldInput>
      </span>
    </Field>
  )
}

export function Checkbox(props: Pick<Around, 'label' | 'hint'> & ComponentProps<'input'>) {
  const { label, hint, ...rest } = props
  return (
    <Base.Root className={styles.check}>
      <Base.Control render={<input type="checkbox" {...rest} />} />
      <Base.Label>{label}</Base.Label>
      <Hint>{hint}</Hint>
    </Base.Root>
  )
}

interface RadiosProps<T extends string> {
  legend: string
  hint?: ReactNode
  options: readonly (readonly [T, ReactNode])[]
  value: T | undefined
  onChange: (value: T) => void
  required?: boolean
}

export function Radios<T extends string>(props: RadiosProps<T>) {
  const { legend, hint, options, value, onChange, required } = props
  const name = useId()
  return (
    <fieldset className={styles.radios}>
      <legend>{legend}</legend>
      {options.map(([option, label]) => (
        <label key={option}>
          <input
            type="radio"
            name={name}
            checked={value === option}
            required={required}
            onChange={() => onChange(option)}
          />
          {label}
        </label>
      ))}
      {hint && <p className={styles.hint}>{hint}</p>}
    </fieldset>
  )
}

export function Counter({ length, max }: { length: number; max: number }) {
  const t = useTexts(texts)
  const formats = useFormats()
  const over = length - max
  return (
    <span className={`${styles.counter} ${over > 0 ? styles.over : ''}`}>
      <span aria-hidden={over > 0 || undefined}>
        {formats.number(length)} / {formats.number(max)}
      </span>
      <span className="unseen" role="status">
        {over > 0 && t.tooLong(over)}
      </span>
    </span>
  )
}

export function isSubmitKey({ key, ctrlKey, metaKey, nativeEvent }: KeyboardEvent): boolean {
  return key === 'Enter' && (ctrlKey || metaKey) && !nativeEvent.isComposing
}
