/** Fields for texts in two languages, and for points in time. All fields are bound to a draft. */
import type { ComponentProps } from 'react'
import { useTexts } from '../language/texts.ts'
import { fieldErrorsOf, TextArea, TextField } from '../ui/Field.tsx'
import styles from './admin.module.css'
import { texts } from './areaTexts.ts'

/** Returns a function that binds a field to a property of a draft, and to the server's error for this property. */
export function bindTo<D extends object>(draft: D, onDraft: (draft: D) => void, error: unknown) {
  const errors = fieldErrorsOf(error)
  return <K extends keyof D & string>(name: K) => ({
    value: draft[name],
    error: errors[name],
    onChange: (value: D[K]) => onDraft({ ...draft, [name]: value }),
  })
}

interface LineProps extends Omit<ComponentProps<typeof TextField>, 'onChange'> {
  onChange: (text: string) => void
}

/** Text field without suggestions of the browser. */
export function LineField({ onChange, ...field }: LineProps) {
  return (
    <TextField autoComplete="off" {...field} onChange={({ target }) => onChange(target.value)} />
  )
}

export interface Local {
  ko: string
  en: string
}

/**
 * Returns a text in two languages as the value of a `LocalField`. A missing translation, which the API returns as
 * null, becomes an empty string.
 */
export function toLocal(text: { ko: string | null; en: string | null } | undefined): Local {
  return { ko: text?.ko ?? '', en: text?.en ?? '' }
}

export function fromLocal({ ko, en }: Local): { ko?: string; en?: string } {
  return { ...(ko.trim() && { ko }), ...(en.trim() && { en }) }
}

interface LocalProps {
  label: string
  value: Local
  onChange: (value: Local) => void
  error?: string | undefined
  max: number
  /** Number of visible lines. If undefined, the field has one line and accepts no line breaks. */
  rows?: number
}

export function LocalField({ label, value, onChange, error, max, rows }: LocalProps) {
  const t = useTexts(texts)
  return (
    <div className={styles.pair}>
      {(['ko', 'en'] as const).map((language, index) => {
        const field = {
          label: `${label} (${t.languages[language]})`,
          lang: language,
          value: value[language],
          maxLength: max,
          autoComplete: 'off',
          error: index === 0 ? error : undefined,
          onChange: ({ target }: { target: { value: string } }) =>
            onChange({ ...value, [language]: target.value }),
        }
        return rows ? (
          <TextArea key={language} {...field} rows={rows} />
        ) : (
          <TextField key={language} {...field} />
        )
      })}
    </div>
  )
}

const MINUTE_MS = 60_000

interface MomentProps {
  label: string
  hint?: string
  error?: string | undefined
  /** Point in time in ISO 8601. Null when the field is empty. */
  value: string | null
  onChange: (value: string | null) => void
}

/** Date and time field that shows `value` in the browser's time zone. */
export function MomentField({ value, onChange, ...field }: MomentProps) {
  const offset = value ? new Date(value).getTimezoneOffset() * MINUTE_MS : 0
  const shown = value ? new Date(Date.parse(value) - offset).toISOString().slice(0, 16) : ''
  return (
    <TextField
      {...field}
      type="datetime-local"
      value={shown}
      onChange={({ target }) =>
        onChange(target.value ? new Date(target.value).toISOString() : null)
      }
    />
  )
}
