/** Values and errors of the sign-up form. */
import { type ChangeEvent, type FocusEvent, useState } from 'react'
import { isPlazaError } from '#sdk'
import { lengthOf } from '../language/length.ts'
import { useTexts } from '../language/texts.ts'
import { fieldErrorsOf } from '../ui/fieldErrors.ts'
import {
  DISPLAY_NAME_MAX,
  looksLikeEmail,
  PASSWORD_MAX,
  PASSWORD_MIN,
  passwordLengthOf,
  wrongHandle,
} from './rules.ts'
import { texts } from './texts.ts'

const NAMES = ['handle', 'email', 'display_name', 'password'] as const
type FieldName = (typeof NAMES)[number]
type Values = Record<FieldName, string>
type Errors = Partial<Record<FieldName, string | undefined>>

const EMPTY: Values = { handle: '', email: '', display_name: '', password: '' }

/** Returns the state of the form. `error` is the server's error of the last submission. */
export function useSignUpFields(error: unknown) {
  const [values, setValues] = useState(EMPTY)
  /** Fields that have lost the focus. Other fields show no error yet, because their input is unfinished. */
  const [left, setLeft] = useState<ReadonlySet<FieldName>>(new Set())
  /** Fields changed since the last submission. They no longer show the server's error. */
  const [changed, setChanged] = useState<ReadonlySet<FieldName>>(new Set())
  const wrong = useWrong(values)
  const refused = refusalsOf(error)
  const shown = (name: FieldName): string | undefined => {
    const isEarly = !left.has(name) && !(name === 'handle' && wrong.isPlain)
    return (
      (isEarly ? undefined : wrong.errors[name]) ?? (changed.has(name) ? undefined : refused[name])
    )
  }
  return {
    values,
    /** Shows all errors and returns the first invalid field. */
    check: (): FieldName | undefined => {
      setLeft(new Set(NAMES))
      setChanged(new Set())
      return NAMES.find((name) => wrong.errors[name])
    },
    /** First field that the server rejected. */
    refused: NAMES.find((name) => refused[name]),
    bind: (name: FieldName) => ({
      name,
      value: values[name],
      error: shown(name),
      onChange: ({ target }: ChangeEvent<HTMLInputElement>) => {
        if (name === 'handle') lowerCase(target)
        const { value } = target
        setValues((now) => ({ ...now, [name]: value }))
        setChanged((now) => new Set(now).add(name))
      },
      onBlur: ({ relatedTarget }: FocusEvent) => {
        // Shows errors only when another field takes the focus. An error that appears while a button is
        // pressed would move the button, and the click would miss.
        if (!values[name] || !(relatedTarget instanceof HTMLInputElement)) return
        setLeft((now) => new Set(now).add(name))
      },
    }),
  }
}

/** Lowercases the text of the field in the DOM, because React would move the cursor to the end. */
function lowerCase(field: HTMLInputElement): void {
  const lower = field.value.toLowerCase()
  if (field.value === lower) return
  const { selectionStart, selectionEnd } = field
  field.value = lower
  field.setSelectionRange(selectionStart, selectionEnd)
}

function useWrong(values: Values): { errors: Errors; isPlain: boolean } {
  const t = useTexts(texts)
  const handle = wrongHandle(values.handle)
  const length = passwordLengthOf(values.password)
  const errors: Errors = {
    handle:
      handle &&
      { characters: t.handleCharacters, short: t.handleShort, long: t.handleLong }[handle],
    email: looksLikeEmail(values.email.trim()) ? undefined : t.emailWrong,
    display_name: lengthOf(values.display_name) > DISPLAY_NAME_MAX ? t.displayNameLong : undefined,
    password:
      length < PASSWORD_MIN
        ? t.passwordShort(PASSWORD_MIN - length)
        : length > PASSWORD_MAX
          ? t.passwordLong
          : undefined,
  }
  // Invalid characters show an error while the user types.
  return { errors, isPlain: handle === 'characters' }
}

function refusalsOf(error: unknown): Errors {
  if (isPlazaError(error, 'HANDLE_TAKEN')) return { handle: error.message }
  if (isPlazaError(error, 'EMAIL_TAKEN')) return { email: error.message }
  return fieldErrorsOf(error)
}
