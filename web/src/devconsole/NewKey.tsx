import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { App, DataOf, InputOf } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { fieldErrorsOf, Options, Select, TextField } from '../ui/Field.tsx'
import { Form } from '../ui/Form.tsx'
import { Code, Panel } from '../ui/Panel.tsx'
import styles from './console.module.css'
import { Once, ScopeChoice } from './consoleParts.tsx'
import { keyTexts } from './texts.ts'

type Fields = InputOf<'createKey'>

const FIELDS = ['key_name', 'environment', 'scopes', 'expires_at']

interface Props {
  app: App
  onMade: (made: DataOf<'createKey'>) => void
  onCancel: () => void
}

export function NewKey({ app, onMade, onCancel }: Props) {
  const t = useTexts(keyTexts)
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
  const errors = fieldErrorsOf(error)
  const { name: key_name, environment, expiry } = draft
  const expires_at = endOf(expiry)
  const change = (next: Partial<KeyDraft>) => setDraft((now) => ({ ...now, ...next }))
  const send = () => {
    if (expires_at === undefined) return setTries(tries + 1)
    const scopes = draft.scopes as NonNullable<Fields['scopes']>
    mutate({ key_name, environment, scopes, expires_at })
  }
  return (
    <Panel title={t.newKey}>
      <Form
        error={error}
        fields={FIELDS}
        tries={tries}
        submit={t.createKey}
        isBusy={isPending}
        onSubmit={send}
        onCancel={onCancel}
        takesFocus
        className={styles.form}
      >
        <NameField name={key_name} onChange={(name) => change({ name })} error={error} />
        <EnvironmentChoice
          chosen={environment}
          onChange={(chosen) => change({ environment: chosen })}
        />
        <ScopeChoice
          chosen={draft.scopes}
          onChange={(scopes) => change({ scopes })}
          among={app.scopes}
          hint={app.scopes.length > 0 ? t.scopesHint : t.noAppScopes}
          error={errors['scopes']}
        />
        <ExpiryChoice
          expiry={expiry}
          onChange={(chosen) => change({ expiry: chosen })}
          error={tries > 0 && expires_at === undefined ? t.datePast : errors['expires_at']}
        />
      </Form>
    </Panel>
  )
}

interface KeyDraft {
  name: string
  environment: Environment
  scopes: readonly string[]
  expiry: Expiry
}

interface NameFieldProps {
  name: string
  onChange: (name: string) => void
  error: unknown
}

export function NameField({ name, onChange, error }: NameFieldProps) {
  const t = useTexts(keyTexts)
  return (
    <TextField
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

type Environment = 'live' | 'test'

interface EnvironmentChoiceProps {
  chosen: Environment
  onChange: (environment: Environment) => void
}

function EnvironmentChoice({ chosen, onChange }: EnvironmentChoiceProps) {
  const t = useTexts(keyTexts)
  const id = useId()
  const hints = { test: t.testHint, live: t.liveHint }
  return (
    <fieldset className={styles.set}>
      <legend className="bold">{t.environment}</legend>
      <div className={styles.choices}>
        {(['test', 'live'] as const).map((environment) => (
          <label key={environment} className={styles.choice}>
            <input
              type="radio"
              name={id}
              checked={chosen === environment}
              onChange={() => onChange(environment)}
              aria-labelledby={`${id}-${environment}`}
              aria-describedby={`${id}-${environment}-hint`}
            />
            <strong id={`${id}-${environment}`}>{t.environments[environment]}</strong>
            <span id={`${id}-${environment}-hint`}>{hints[environment]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

const DAY_MS = 24 * 60 * 60_000
const DAYS = [7, 30, 90, 365]

/** Chosen expiry of a key: days from now, a `date` in the form YYYY-MM-DD, or `none`. */
type Expiry = { days: number } | { date: string } | 'none'
const SUGGESTED: Expiry = { days: 90 }

/** Returns the time at which a key expires. Null for no expiry, undefined when the date is missing or past. */
function endOf(expiry: Expiry, now = Date.now()): string | null | undefined {
  if (expiry === 'none') return null
  if ('days' in expiry) return new Date(now + expiry.days * DAY_MS).toISOString()
  // The key is valid until the end of the chosen day in the viewer's time zone.
  const end = new Date(`${expiry.date}T23:59:59`)
  return end.getTime() > now ? end.toISOString() : undefined
}

interface ExpiryChoiceProps {
  expiry: Expiry
  onChange: (expiry: Expiry) => void
  error?: string | undefined
}

function ExpiryChoice({ expiry, onChange, error }: ExpiryChoiceProps) {
  const t = useTexts(keyTexts)
  const isDate = expiry !== 'none' && 'date' in expiry
  const value = expiry === 'none' ? 'none' : isDate ? 'date' : String(expiry.days)
  const choose = (chosen: string) => {
    if (chosen === 'none') onChange('none')
    else onChange(chosen === 'date' ? { date: '' } : { days: Number(chosen) })
  }
  return (
    <div className={styles.form}>
      <Select
        label={t.expiry}
        hint={t.expiryHint}
        error={isDate ? undefined : error}
        value={value}
        onChange={({ target }) => choose(target.value)}
      >
        <Options entries={DAYS.map((days) => [days, t.expiryDays(days)])} />
        <option value="date">{t.expiryDate}</option>
        <option value="none">{t.endless}</option>
      </Select>
      {isDate && (
        <TextField
          label={t.date}
          type="date"
          error={error}
          value={expiry.date}
          onChange={({ target }) => onChange({ date: target.value })}
        />
      )}
    </div>
  )
}

interface MadeKeyProps {
  name: string
  rawKey: string | null
  mayWrite: boolean
  onClose: () => void
}

export function MadeKey({ name, rawKey, mayWrite, onClose }: MadeKeyProps) {
  const t = useTexts(keyTexts)
  const sample = { title: t.sampleTitle, body: t.sampleBody }
  return (
    <Once
      title={t.made}
      secrets={[{ label: `${t.rawKey} · ${name}`, value: rawKey }]}
      onClose={onClose}
    >
      {mayWrite && rawKey ? (
        <Code label={t.curl} text={curlOf(rawKey, sample)} />
      ) : (
        <p className="fine">{t.noWrite}</p>
      )}
    </Once>
  )
}

export function curlOf(key: string, content: { title: string; body: string }): string {
  const body = { category: 'hype', type: 'article', ...content }
  return [
    `curl ${location.origin}/api/v1/contents`,
    `  -H 'X-API-Key: ${key}'`,
    `  -H 'Content-Type: application/json'`,
    `  --data '${JSON.stringify(body)}'`,
  ].join(' \\\n')
}
