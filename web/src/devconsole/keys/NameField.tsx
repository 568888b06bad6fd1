import { useEffect, useRef } from 'react'
import { useTexts } from '../../language/texts.ts'
import { TextField } from '../../ui/Field.tsx'
import { fieldErrorsOf } from '../../ui/fieldErrors.ts'
import { texts } from './texts.ts'

interface Props {
  name: string
  onChange: (name: string) => void
  error: unknown
}

/** Field for the name of a new key. It takes the focus, because it is the first field of the form. */
export function NameField({ name, onChange, error }: Props) {
  const t = useTexts(texts)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <TextField
      ref={field}
      label={t.name}
      hint={t.nameHint}
      error={fieldErrorsOf(error)['key_name']}
      value={name}
      maxLength={100}
      autoComplete="off"
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
