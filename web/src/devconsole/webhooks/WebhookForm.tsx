import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { InputOf, Webhook } from '#sdk'
import { useTexts } from '../../language/texts.ts'
import { TextField } from '../../ui/Field.tsx'
import { fieldErrorsOf } from '../../ui/fieldErrors.ts'
import { useWrongField } from '../../ui/focusField.ts'
import styles from '../console.module.css'
import { FormEnd } from '../FormEnd.tsx'
import { isEndpoint } from './endpoint.ts'
import { EventChoice } from './EventChoice.tsx'
import { texts } from './texts.ts'

type Fields = InputOf<'createWebhook'>

interface Props {
  /** Webhook to edit. Undefined for a new webhook. */
  webhook?: Webhook
  submit: string
  isBusy: boolean
  error: unknown
  onSubmit: (fields: Fields) => void
  onCancel: () => void
}

export function WebhookForm({ webhook, submit, isBusy, error, onSubmit, onCancel }: Props) {
  const t = useTexts(texts)
  const [tries, setTries] = useState(0)
  const form = useWrongField(error, tries)
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])
  const [endpoint_url, setEndpoint] = useState(webhook?.endpoint_url ?? '')
  const [events, setEvents] = useState<readonly string[]>(webhook?.events ?? [])
  const isWrong = !isEndpoint(endpoint_url.trim())
  const isNone = events.length === 0
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    // Validates all fields before sending, so that all errors appear together.
    if (isWrong || isNone) return setTries(tries + 1)
    onSubmit({ endpoint_url: endpoint_url.trim(), events: events as Fields['events'] })
  }
  const said = fieldErrorsOf(error)
  return (
    <form ref={form} className={styles.form} onSubmit={send} noValidate>
      <TextField
        ref={first}
        label={t.endpoint}
        hint={t.endpointHint}
        error={tries > 0 && isWrong ? t.endpointWrong : said['endpoint_url']}
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
        error={tries > 0 && isNone ? t.eventsNone : said['events']}
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
