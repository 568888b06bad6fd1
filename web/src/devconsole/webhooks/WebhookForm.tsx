import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { InputOf, Webhook } from '#sdk'
import { useLanguage } from '../../language/look.ts'
import { useTexts } from '../../language/texts.ts'
import { Checkbox, FieldError, fieldErrorsOf, TextField } from '../../ui/Field.tsx'
import { Form, type FormProps } from '../../ui/Form.tsx'
import { Skeleton } from '../../ui/Loading.tsx'
import { Problem } from '../../ui/Problem.tsx'
import styles from '../console.module.css'
import { eventTypesQuery } from '../queries.ts'
import { texts } from './texts.ts'
import own from './webhooks.module.css'

type Fields = InputOf<'createWebhook'>

interface Props extends Pick<FormProps, 'submit' | 'isBusy' | 'error' | 'onCancel'> {
  webhook?: Webhook
  onSubmit: (fields: Fields) => void
}

export function WebhookForm({ webhook, onSubmit, ...form }: Props) {
  const t = useTexts(texts)
  const [tries, setTries] = useState(0)
  const [endpoint_url, setEndpoint] = useState(webhook?.endpoint_url ?? '')
  const [events, setEvents] = useState<readonly string[]>(webhook?.events ?? [])
  const isWrong = !isEndpoint(endpoint_url.trim())
  const isNone = events.length === 0
  const send = () => {
    // Validates all fields before sending, so that all errors appear together.
    if (isWrong || isNone) return setTries(tries + 1)
    onSubmit({ endpoint_url: endpoint_url.trim(), events: events as Fields['events'] })
  }
  const said = fieldErrorsOf(form.error)
  return (
    <Form
      {...form}
      fields={['endpoint_url', 'events']}
      tries={tries}
      onSubmit={send}
      takesFocus
      className={styles.form}
    >
      <TextField
        label={t.endpoint}
        hint={t.endpointHint}
        error={tries > 0 && isWrong ? t.endpointWrong : said['endpoint_url']}
        type="url"
        value={endpoint_url}
        maxLength={2000}
        placeholder="https://example.com/webhooks/plaza"
        autoComplete="off"
        spellCheck="false"
        onChange={({ target }) => setEndpoint(target.value)}
      />
      <EventChoice
        chosen={events}
        onChange={setEvents}
        error={tries > 0 && isNone ? t.eventsNone : said['events']}
      />
    </Form>
  )
}

interface EventChoiceProps {
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
  error?: string | undefined
}

function EventChoice({ chosen, onChange, error }: EventChoiceProps) {
  const t = useTexts(texts)
  const query = useQuery(eventTypesQuery(useLanguage()))
  return (
    <fieldset className={styles.set}>
      <legend className="bold">{t.events}</legend>
      <p className="fine">{t.eventsHint}</p>
      <div className={styles.options}>
        {query.isPending &&
          Array.from({ length: 7 }, (_, index) => <Skeleton key={index} height="60px" />)}
        {query.isError && <Problem error={query.error} retry={() => void query.refetch()} />}
        {query.data?.map(({ name, description, sample }) => (
          <div key={name} className={own.event}>
            <Checkbox
              label={<code>{name}</code>}
              hint={description}
              checked={chosen.includes(name)}
              onChange={({ target }) =>
                onChange(
                  target.checked ? [...chosen, name] : chosen.filter((event) => event !== name),
                )
              }
            />
            <details>
              <summary aria-label={t.sampleOf(name)}>{t.sample}</summary>
              {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolling content must be reachable by keyboard */}
              <pre tabIndex={0} aria-label={t.sampleOf(name)}>
                {JSON.stringify(sample, null, 2)}
              </pre>
            </details>
          </div>
        ))}
      </div>
      <FieldError>{error}</FieldError>
    </fieldset>
  )
}

export function pathOf(endpoint_url: string): string {
  const { pathname, search } = new URL(endpoint_url)
  return pathname + search
}

/** Returns false for URLs that the server always rejects. The server validates further rules. */
function isEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, hash } = new URL(text)
  return /^https?:$/.test(protocol) && !username && !password && !hash
}
