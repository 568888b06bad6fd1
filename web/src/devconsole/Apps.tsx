import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Blocks, BookOpen, ChevronRight, KeyRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { App, InputOf } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { Badge } from '../ui/Badge.tsx'
import { fieldErrorsOf, Options, Select, TextArea, TextField } from '../ui/Field.tsx'
import { Form, type FormProps } from '../ui/Form.tsx'
import { Page } from '../ui/Page.tsx'
import { Panel } from '../ui/Panel.tsx'
import { Table } from '../ui/Table.tsx'
import { Time } from '../ui/Time.tsx'
import { toast } from '../ui/toast.ts'
import styles from './console.module.css'
import { Listing, ScopeChoice, ScopeList } from './consoleParts.tsx'
import { appQuery, appsQuery } from './queries.ts'
import { brokenLine, redirectsOf } from './rules.ts'
import { texts } from './texts.ts'

export function Apps() {
  const t = useTexts(texts)
  const query = useQuery(appsQuery)
  return (
    <Listing
      query={query}
      create={t.newApp}
      empty={{ icon: <Blocks />, title: t.emptyTitle, children: t.emptyHelp }}
      form={(close) => <NewApp onCancel={close} />}
      frame={(button, list) => (
        <Page title={t.console} lead={t.lead} actions={button}>
          {list}
          {/* Renders the element only after the list has loaded, so that the element does not move. */}
          {!query.isPending && <Ways />}
        </Page>
      )}
    >
      {(apps) => <AppTable apps={apps} />}
    </Listing>
  )
}

function Ways() {
  const t = useTexts(texts)
  return (
    <ul className={`${styles.ways} ${styles.stack}`}>
      <li>
        <a href="/docs" className={styles.way}>
          <Way icon={<BookOpen />} name={t.reference} text={t.referenceHelp} />
        </a>
      </li>
      <li>
        <Link to="/devconsole/keys" className={styles.way}>
          <Way icon={<KeyRound />} name={t.personalKeys} text={t.personalHelp} />
        </Link>
      </li>
    </ul>
  )
}

function Way({ icon, name, text }: { icon: ReactNode; name: string; text: string }) {
  return (
    <>
      <span className={styles.wayIcon}>{icon}</span>
      <span>
        <strong>{name}</strong>
        <span className="fine">{text}</span>
      </span>
      <ChevronRight />
    </>
  )
}

function AppTable({ apps }: { apps: readonly App[] }) {
  const t = useTexts(texts)
  return (
    <Table label={t.apps} heads={[t.name, t.type, t.scopes, t.created_at]}>
      {apps.map(({ id, app_name, app_type, scopes, created_at }) => (
        <tr key={id}>
          <td>
            <Link to="/devconsole/apps/$app_id" params={{ app_id: id }} className={styles.name}>
              {app_name}
            </Link>
          </td>
          <td>
            <Badge>{t.types[app_type as keyof typeof t.types] ?? app_type}</Badge>
          </td>
          <td>
            <ScopeList scopes={scopes} />
          </td>
          <td className={styles.nowrap}>
            <Time time={created_at} />
          </td>
        </tr>
      ))}
    </Table>
  )
}

function NewApp({ onCancel }: { onCancel: () => void }) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (fields: InputOf<'createApp'>) => plaza.apps.create(fields),
    onSuccess: async ({ app }) => {
      queries.setQueryData(appQuery(app.id).queryKey, app)
      void queries.invalidateQueries({ queryKey: appsQuery.queryKey })
      await navigate({ to: '/devconsole/apps/$app_id', params: { app_id: app.id } })
      toast(t.created)
    },
  })
  return (
    <Panel title={t.newApp}>
      <AppForm
        submit={t.createApp}
        isBusy={isPending}
        error={error}
        onSubmit={(fields) => mutate(fields)}
        onCancel={onCancel}
      />
    </Panel>
  )
}

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
