import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { App, DataOf, InputOf } from '#sdk'
import { useTexts } from '../../language/texts.ts'
import { plaza } from '../../session/plaza.ts'
import { useWrongField } from '../../ui/focusField.ts'
import { Panel } from '../../ui/Panel.tsx'
import styles from '../console.module.css'
import { FormEnd } from '../FormEnd.tsx'
import { endOf, SUGGESTED } from './ExpiryChoice.tsx'
import { type KeyDraft, KeyFields } from './KeyFields.tsx'
import { texts } from './texts.ts'

type Fields = InputOf<'createKey'>

const FIELDS = ['key_name', 'environment', 'scopes', 'expires_at']

interface Props {
  app: App
  onMade: (made: DataOf<'createKey'>) => void
  onCancel: () => void
}

export function NewKey({ app, onMade, onCancel }: Props) {
  const t = useTexts(texts)
  const [draft, setDraft] = useState<KeyDraft>({
    name: '',
    environment: 'test',
    scopes: app.scopes,
    expiry: SUGGESTED,
  })
  const [tries, setTries] = useState(0)
  const { mutate, isPending, error } = useMutation({
    mutationFn: (fields: Fields) => plaza.keys.create(app.id, fields),
    onSuccess: onMade,
  })
  const form = useWrongField(error, tries)
  const { name: key_name, environment, expiry } = draft
  const expires_at = endOf(expiry)
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (expires_at === undefined) setTries(tries + 1)
    if (isPending || expires_at === undefined) return
    const scopes = draft.scopes as NonNullable<Fields['scopes']>
    mutate({ key_name, environment, scopes, expires_at })
  }
  return (
    <Panel title={t.newKey}>
      <form ref={form} className={styles.form} onSubmit={send} noValidate>
        <KeyFields
          app={app}
          draft={draft}
          onChange={(change) => setDraft((now) => ({ ...now, ...change }))}
          hasWrongEnd={tries > 0 && expires_at === undefined}
          error={error}
        />
        <FormEnd
          error={error}
          fields={FIELDS}
          submit={t.createKey}
          isBusy={isPending}
          onCancel={onCancel}
        />
      </form>
    </Panel>
  )
}
