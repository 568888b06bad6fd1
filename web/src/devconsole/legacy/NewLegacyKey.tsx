import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { DataOf } from '#sdk'
import { useTexts } from '../../language/texts.ts'
import { plaza } from '../../session/plaza.ts'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import { fieldErrorsOf, restOf } from '../../ui/fieldErrors.ts'
import { Panel } from '../../ui/Panel.tsx'
import { Problem } from '../../ui/Problem.tsx'
import styles from '../console.module.css'
import { texts } from '../keys/texts.ts'

interface Props {
  onMade: (made: DataOf<'createLegacyKey'>) => void
  onCancel: () => void
}

/** Makes a personal key: it has a name, and nothing else to choose. */
export function NewLegacyKey({ onMade, onCancel }: Props) {
  const t = useTexts(texts)
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])
  const [key_name, setName] = useState('')
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => plaza.createLegacyKey({ key_name }),
    onSuccess: onMade,
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending) mutate()
  }
  const rest = restOf(error, ['key_name'])
  return (
    <Panel title={t.newKey}>
      <form className={styles.form} onSubmit={send} noValidate>
        <TextField
          ref={first}
          label={t.name}
          hint={t.nameHint}
          error={fieldErrorsOf(error)['key_name']}
          value={key_name}
          maxLength={100}
          autoComplete="off"
          onChange={({ target }) => setName(target.value)}
        />
        {rest != null && <Problem error={rest} />}
        <div className={styles.buttons}>
          <Button type="submit" look="primary" busy={isPending}>
            {t.createKey}
          </Button>
          <Button onClick={onCancel}>{t.cancel}</Button>
        </div>
      </form>
    </Panel>
  )
}
