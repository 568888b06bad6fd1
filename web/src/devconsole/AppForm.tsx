import { useState } from 'react'
import type { App, InputOf } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { fieldErrorsOf, Options, Select, TextArea, TextField } from '../ui/Field.tsx'
import { Form, type FormProps } from '../ui/Form.tsx'
import styles from './console.module.css'
import { brokenLine, redirectsOf } from './redirects.ts'
import { ScopeChoice } from './Scopes.tsx'
import { texts } from './texts.ts'

type Fields = Required<InputOf<'createApp'>>

const FIELDS = ['app_name', 'app_type', 'description', 'redirect_uris', 'scopes']

interface Props extends Pick<FormProps, 'submit' | 'isBusy' | 'error' | 'onCancel'> {
  /** Undefined for a new app. */
  app?: App
  onSubmit: (fields: Fields) => void
}

export function AppForm({ app, onSubmit, ...form }: Props) {
  const t = useTexts(texts)
  const [draft, setDraft] = useState(() => draftOf(app))
  const [tries, setTries] = useState(0)
  const broken = brokenLine(draft.redirects)
  const shown = tries > 0 && broken
  const errors = fieldErrorsOf(form.error)
  const change = (next: Partial<AppDraft>) => setDraft((now) => ({ ...now, ...next }))
  return (
    <Form
      {...form}
      fields={FIELDS}
      tries={tries}
      onSubmit={() => (broken ? setTries(tries + 1) : onSubmit(fieldsOf(draft)))}
      takesFocus={!app}
      className={styles.form}
    >
      <Identity draft={draft} onChange={change} errors={errors} />
      <TextArea
        label={t.redirects}
        hint={t.redirectsHint}
        error={shown ? t.line(shown.line, t.redirectRules[shown.rule]) : errors['redirect_uris']}
        value={draft.redirects}
        rows={3}
        spellCheck="false"
        placeholder="https://example.com/callback"
        onChange={({ target }) => change({ redirects: target.value })}
      />
      <ScopeChoice
        chosen={draft.scopes}
        onChange={(scopes) => change({ scopes })}
        hint={app ? `${t.appScopesHint} ${t.fewerScopes}` : t.appScopesHint}
        error={errors['scopes']}
      />
    </Form>
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

interface IdentityProps {
  draft: AppDraft
  onChange: (change: Partial<AppDraft>) => void
  errors: ReturnType<typeof fieldErrorsOf>
}

function Identity({ draft, onChange, errors }: IdentityProps) {
  const t = useTexts(texts)
  return (
    <>
      <TextField
        label={t.name}
        hint={t.nameHint}
        error={errors['app_name']}
        value={draft.name}
        maxLength={100}
        autoComplete="off"
        onChange={({ target }) => onChange({ name: target.value })}
      />
      <Select
        label={t.type}
        error={errors['app_type']}
        value={draft.type}
        onChange={({ target }) => onChange({ type: target.value })}
      >
        <Options entries={Object.entries(t.types)} />
      </Select>
      <TextArea
        label={t.description}
        hint={t.descriptionHint}
        error={errors['description']}
        value={draft.description}
        maxLength={1000}
        onChange={({ target }) => onChange({ description: target.value })}
      />
    </>
  )
}
