import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { App, InputOf } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { Button } from '../ui/Button.tsx'
import { fieldErrorsOf, restOf, useWrongField } from '../ui/fieldErrors.ts'
import { Problem } from '../ui/Problem.tsx'
import styles from './console.module.css'
import { type BrokenLine, brokenLine, redirectsOf } from './redirects.ts'
import { texts } from './texts.ts'
import { Select, TextArea, TextField } from '../ui/Field.tsx'
import { ScopeChoice } from './Scopes.tsx'

type Fields = Required<InputOf<'createApp'>>

const FIELDS = ['app_name', 'app_type', 'description', 'redirect_uris', 'scopes']

interface Props {
  app?: App
  submit: string
  isBusy: boolean
  error: unknown
  onSubmit: (fields: Fields) => void
  beside?: ReactNode
  takesFocus?: boolean
}

export function AppForm({ app, submit, isBusy, error, onSubmit, beside, takesFocus }: Props) {
  const t = useTexts(texts)
  const [draft, setDraft] = useState(() => draftOf(app))
  const [tries, setTries] = useState(0)
  const form = useWrongField(error, tries)
  const broken = brokenLine(draft.redirects)
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (broken) setTries(tries + 1)
    else if (!isBusy) onSubmit(fieldsOf(draft))
  }
  const rest = restOf(error, FIELDS)
  return (
    <form ref={form} className={styles.form} onSubmit={send} noValidate>
      <AppFields
        draft={draft}
        onChange={(change) => setDraft((now) => ({ ...now, ...change }))}
        broken={tries > 0 ? broken : undefined}
        error={error}
        scopesHint={app ? `${t.appScopesHint} ${t.fewerScopes}` : t.appScopesHint}
        takesFocus={takesFocus ?? false}
      />
      {rest != null && <Problem error={rest} />}
      <div className={styles.buttons}>
        <Button type="submit" look="primary" busy={isBusy}>
          {submit}
        </Button>
        {beside}
      </div>
    </form>
  )
}

function draftOf(app: App | undefined): AppDraft {
  return {
    name: app?.app_name ?? '',
    type: app?.app_type ?? 'web',
    description: app?.description ?? '',
    redirects: app?.redirect_uris.join('\n') ?? '',
    scopes: app?.scopes ?? [],
  }
}

function fieldsOf({ name, type, description, redirects, scopes }: AppDraft): Fields {
  return {
    app_name: name,
    app_type: type as Fields['app_type'],
    description: description || null,
    redirect_uris: redirectsOf(redirects),
    scopes: scopes as Fields['scopes'],
  }
}

interface AppDraft {
  name: string
  type: string
  description: string
  /** Redirect URIs, one per line. */
  redirects: string
  scopes: readonly string[]
}

interface AppFieldsProps {
  draft: AppDraft
  onChange: (change: Partial<AppDraft>) => void
  broken: BrokenLine | undefined
  error: unknown
  scopesHint: string
  takesFocus: boolean
}

function AppFields({ draft, onChange, broken, error, scopesHint, takesFocus }: AppFieldsProps) {
  const t = useTexts(texts)
  return (
    <>
      <Identity {...{ draft, onChange, error, takesFocus }} />
      <TextArea
        label={t.redirects}
        hint={t.redirectsHint}
        error={
          broken
            ? t.line(broken.line, t.redirectRules[broken.rule])
            : fieldErrorsOf(error)['redirect_uris']
        }
        value={draft.redirects}
        rows={3}
        spellCheck="false"
        placeholder="https://example.com/callback"
        onChange={({ target }) => onChange({ redirects: target.value })}
      />
      <ScopeChoice
        chosen={draft.scopes}
        onChange={(scopes) => onChange({ scopes })}
        hint={scopesHint}
        error={fieldErrorsOf(error)['scopes']}
      />
    </>
  )
}

type IdentityProps = Pick<AppFieldsProps, 'draft' | 'onChange' | 'error' | 'takesFocus'>

function Identity({ draft, onChange, error, takesFocus }: IdentityProps) {
  const t = useTexts(texts)
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (takesFocus) first.current?.focus()
  }, [takesFocus])
  return (
    <>
      <TextField
        ref={first}
        label={t.name}
        hint={t.nameHint}
        error={fieldErrorsOf(error)['app_name']}
        value={draft.name}
        maxLength={100}
        autoComplete="off"
        onChange={({ target }) => onChange({ name: target.value })}
      />
      <Select
        label={t.type}
        error={fieldErrorsOf(error)['app_type']}
        value={draft.type}
        onChange={({ target }) => onChange({ type: target.value })}
      >
        {Object.entries(t.types).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      <TextArea
        label={t.description}
        hint={t.descriptionHint}
        error={fieldErrorsOf(error)['description']}
        value={draft.description}
        maxLength={1000}
        onChange={({ target }) => onChange({ description: target.value })}
      />
    </>
  )
}

interface FormEndProps {
  error: unknown
  /** Names of the fields that show their own errors. */
  fields: readonly string[]
  submit: string
  isBusy: boolean
  onCancel: () => void
}

export function FormEnd({ error, fields, submit, isBusy, onCancel }: FormEndProps) {
  const t = useTexts(texts)
  const rest = restOf(error, fields)
  return (
    <>
      {rest != null && <Problem error={rest} />}
      <div className={styles.buttons}>
        <Button type="submit" look="primary" busy={isBusy}>
          {submit}
        </Button>
        <Button onClick={onCancel}>{t.cancel}</Button>
      </div>
    </>
  )
}
