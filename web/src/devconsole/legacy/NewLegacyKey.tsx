import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { DataOf } from '#sdk'
import { useTexts } from '../../language/texts.ts'
import { plaza } from '../../session/plaza.ts'
import { useWrongField } from '../../ui/focusField.ts'
import { Panel } from '../../ui/Panel.tsx'
import styles from '../console.module.css'
import { FormEnd } from '../FormEnd.tsx'
import { NameField } from '../keys/NameField.tsx'
import { texts } from '../keys/texts.ts'

interface Props {
  onMade: (made: DataOf<'createLegacyKey'>) => void
  onCancel: () => void
}

/** Form that creates a personal API key. The name is its only field. */
export function NewLegacyKey({ onMade, onCancel }: Props) {
  const t = useTexts(texts)
  const [key_name, setName] = useState('')
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => plaza.legacyKeys.create({ key_name }),
    onSuccess: onMade,
  })
  const form = useWrongField(error)
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending) mutate()
  }
  return (
    <Panel title={t.newKey}>
      <form ref={form} className={styles.form} onSubmit={send} noValidate>
        <NameField name={key_name} onChange={setName} error={error} />
        <FormEnd
          error={error}
          fields={['key_name']}
          submit={t.createKey}
          isBusy={isPending}
          onCancel={onCancel}
        />
      </form>
    </Panel>
  )
}
