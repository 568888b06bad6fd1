import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { InputOf, Webhook } from '#sdk'
import { useTexts } from '../../language/texts.ts'
import { TextField } from '../../ui/Field.tsx'
import { fieldErrorsOf } from '../../ui/fieldErrors.ts'
import { useWrongField } from '../../ui/focusField.ts'
import styles from '../console.module.css'
import { FormEnd } from '../FormEnd.tsx'
import { EventChoice } from './EventChoice.tsx'
import { texts } from './texts.ts'

type Fields = Omit<InputOf<'createWebhook'>, 'app_id'>

interface Props {
  /** What stands in the form at first. */
  webhook?: Webhook
  submit: string
  isBusy: boolean
  error: unknown
  onSubmit: (fields: Fields) => void
  onCancel: () => void
}

/** Where events go, and which. */
export function WebhookForm({ webhook, submit, isBusy, error, onSubmit, onCancel }: Props) {
  const t = useTexts(texts)
  const form = useWrongField(error)
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])
  const [endpoint_url, setEndpoint] = useState(webhook?.endpoint_url ?? '')
  const [events, setEvents] = useState<readonly string[]>(webhook?.events ?? [])
  const [isChecked, setIsChecked] = useState(false)
  const send = (event: FormEvent) => {
    event.preventDefault()
    setIsChecked(true)
    if (isBusy || events.length === 0) return
    onSubmit({ endpoint_url: endpoint_url.trim(), events: events as Fields['events'] })
  }
  const isNone = isChecked && events.length === 0
  return (
    <form ref={form} className={styles.form} onSubmit={send} noValidate>
      <TextField
        ref={first}
        label={t.endpoint}
        hint={t.endpointHint}
        error={fieldErrorsOf(error)['endpoint_url']}
        type="url"
        value={endpoint_url}
        maxLength={2000}
        placeholder="https://example.com/webhooks/plaza"
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => setEndpoint(target.value)}
      />
      <EventChoice
        chosen={events}
        onChange={setEvents}
        error={isNone ? t.eventsNone : fieldErrorsOf(error)['events']}
      />
      <FormEnd
        error={error}
        fields={['endpoint_url', 'events']}
        submit={submit}
        isBusy={isBusy}
        onCancel={onCancel}
      />
    </form>
  )
}
