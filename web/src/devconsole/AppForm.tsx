import { type FormEvent, type ReactNode, useState } from 'react'
import type { App, InputOf } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { Button } from '../ui/Button.tsx'
import { restOf } from '../ui/fieldErrors.ts'
import { useWrongField } from '../ui/focusField.ts'
import { Problem } from '../ui/Problem.tsx'
import { type AppDraft, AppFields } from './AppFields.tsx'
import styles from './console.module.css'
import { brokenLine, redirectsOf } from './redirects.ts'
import { texts } from './texts.ts'

type Fields = Required<InputOf<'createApp'>>

const FIELDS = ['app_name', 'app_type', 'description', 'redirect_uris', 'scopes']

interface Props {
  /** App to edit. Undefined for a new app. */
  app?: App
  submit: string
  isBusy: boolean
  error: unknown
  onSubmit: (fields: Fields) => void
  /** Element next to the submit button. */
  beside?: ReactNode
  /** True to focus the first field when the form opens. */
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
