/**
 * Form fields, and the errors of fields. Each field links its label, hint and error to the input for screen readers.
 */
import {
  cloneElement,
  type ComponentProps,
  createContext,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useId,
  useRef,
} from 'react'
import { PlazaError } from '#sdk'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import styles from './Field.module.css'
import { texts } from './texts.ts'

/** Id of the input of the surrounding field, and the ids of the texts that describe it. */
const Ids = createContext<{ id: string; describedBy: string | undefined }>({
  id: '',
  describedBy: undefined,
})

interface Around {
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
  hidesLabel?: boolean
}

export function Field(props: Around & { children: ReactNode }) {
  const { label, hint, error, hidesLabel, children } = props
  const id = useId()
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={hidesLabel ? 'unseen' : 'bold'}>
        {label}
      </label>
      <Ids.Provider value={{ id, describedBy: describedBy || undefined }}>{children}</Ids.Provider>
      <Hint id={id}>{hint}</Hint>
      {error && (
        <div id={`${id}-error`} role="alert" className={styles.error}>
          {error}
        </div>
      )}
    </div>
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

function Hint({ id, children }: { id: string; children: ReactNode }) {
  return (
    children && (
      <p id={`${id}-hint`} className="fine">
        {children}
      </p>
    )
  )
}

interface InputProps extends Pick<Around, 'error'> {
  children: ReactElement<Record<string, unknown>>
}

/** Adds the attributes of a `Field` to its input element. */
export function FieldInput({ error, children }: InputProps) {
  const { id, describedBy } = useContext(Ids)
  return cloneElement(children, {
    id,
    'aria-describedby': describedBy,
    'aria-invalid': error ? true : undefined,
  })
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

/** Options of a `Select`: the value and the text of each. */
export function Options({ entries }: { entries: readonly (readonly [string | number, string])[] }) {
  return entries.map(([value, text]) => (
    <option key={value} value={value}>
      {text}
    </option>
  ))
}

export function Checkbox(props: Pick<Around, 'label' | 'hint'> & ComponentProps<'input'>) {
  const { label, hint, ...rest } = props
  const id = useId()
  return (
    <div className={styles.check}>
      <input type="checkbox" id={id} aria-describedby={hint ? `${id}-hint` : undefined} {...rest} />
      <label htmlFor={id}>{label}</label>
      <Hint id={id}>{hint}</Hint>
    </div>
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
      {hint && <p className="fine">{hint}</p>}
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

/** Returns the first error message of each field. The first part of an error's path names the field. */
export function fieldErrorsOf(error: unknown): Partial<Record<string, string>> {
  if (!(error instanceof PlazaError)) return {}
  const errors: Partial<Record<string, string>> = {}
  for (const { field, message } of error.details) {
    errors[field.split('.', 1)[0] ?? field] ??= message
  }
  return errors
}

/** Returns the error if the form must show it, or null if one of the given fields already shows the error. */
export function restOf(error: unknown, fields: readonly string[]): unknown {
  const errors = fieldErrorsOf(error)
  return fields.some((field) => errors[field] !== undefined) ? null : error
}

export function focusField(form: HTMLFormElement | null, name: string): void {
  form?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus()
}

/**
 * Returns a ref for a form. Focuses the form's first invalid field after each rejected submission. `tries` counts the
 * submissions that the form itself rejected.
 */
export function useWrongField(error: unknown, tries = 0): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error || tries > 0) {
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    }
  }, [error, tries])
  return form
}
