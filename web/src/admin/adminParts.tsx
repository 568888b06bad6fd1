/** Frame of the sections, forms and their fields, and confirmations of changes that administrators make. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { type ComponentProps, type ComponentType, type ReactNode, useState } from 'react'
import { isPlazaError } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { may, openQuery, useViewer } from '../session/viewer.ts'
import { OnlyAdmins } from '../shell/OnlyAdmins.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { Confirm } from '../ui/Dialog.tsx'
import { fieldErrorsOf, TextArea, TextField } from '../ui/Field.tsx'
import { Form, type FormProps } from '../ui/Form.tsx'
import { Page } from '../ui/Page.tsx'
import { Tab, Tabs } from '../ui/Tabs.tsx'
import { toast } from '../ui/toast.ts'
import styles from './admin.module.css'
import { texts } from './areaTexts.ts'

/** Sections of the administration. A section without permission is for administrators only. */
const SECTIONS = [
  { to: '/admin', name: 'overview', permission: 'site' },
  { to: '/admin/members', name: 'members', permission: undefined },
  { to: '/admin/applications', name: 'applications', permission: 'members' },
  { to: '/admin/invites', name: 'invites', permission: 'members' },
  { to: '/admin/bans', name: 'bans', permission: 'members' },
  { to: '/admin/site', name: 'site', permission: 'site' },
  { to: '/admin/pages', name: 'pages', permission: 'site' },
  { to: '/admin/announcements', name: 'announcements', permission: 'site' },
  { to: '/admin/picks', name: 'picks', permission: 'site' },
  { to: '/admin/audit', name: 'audit', permission: undefined },
] as const

type Section = (typeof SECTIONS)[number]['name']

/** Returns the page of a section, with links to all sections that the viewer may open. */
export function adminPage(section: Section, Content: ComponentType): ComponentType {
  return () => (
    <AdminPage section={section}>
      <Content />
    </AdminPage>
  )
}

function AdminPage({ section, children }: { section: Section; children: ReactNode }) {
  const t = useTexts(texts)
  const viewer = useViewer()
  const { data } = useQuery({ ...openQuery, enabled: may(viewer, 'members') })
  const waiting = data?.open_applications ?? 0
  const isOpen = ({ permission }: (typeof SECTIONS)[number]) =>
    viewer?.role === 'admin' || (permission !== undefined && may(viewer, permission))
  const open = SECTIONS.filter(isOpen)
  const current = SECTIONS.find(({ name }) => name === section)
  const [first] = open
  // The menu links to the overview. Redirects viewers without access to the overview to their first section.
  if (section === 'overview' && first && !open.some(({ name }) => name === section)) {
    return <Navigate to={first.to} replace />
  }
  return (
    <OnlyAdmins {...(current?.permission && { permission: current.permission })}>
      <Page title={t.sections[section]} lead={t.leads[section]}>
        <Tabs label={t.area}>
          {open.map(({ to, name }) => (
            <Tab key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
              {t.sections[name]}
              {name === 'applications' && waiting > 0 && <Badge tone="accent">{waiting}</Badge>}
            </Tab>
          ))}
        </Tabs>
        {children}
      </Page>
    </OnlyAdmins>
  )
}

/**
 * Returns a mutation. After success, it shows the notice `done`, refetches all data that the change may affect, and
 * calls `onDone`. After EDIT_CONFLICT it also refetches, so that the next attempt sends the new revision.
 */
export function useAct<Input, Answer>(
  act: (input: Input) => Promise<Answer>,
  done: string,
  onDone?: (answer: Answer) => void,
) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: (answer) => {
      void queries.invalidateQueries({ queryKey: ['admin'] })
      void queries.invalidateQueries({ queryKey: ['site'] })
      void queries.invalidateQueries({ queryKey: openQuery.queryKey })
      toast(done)
      onDone?.(answer)
    },
    onError: (error) => {
      if (!isPlazaError(error, 'EDIT_CONFLICT')) return
      void queries.invalidateQueries({ queryKey: ['admin'] })
    },
  })
}

/** Form that explains EDIT_CONFLICT, by default with a text about another editor. */
export function AdminForm({ conflict, ...props }: FormProps & { conflict?: string | undefined }) {
  const t = useTexts(texts)
  const isConflict = isPlazaError(props.error, 'EDIT_CONFLICT')
  return <Form {...props} explanation={isConflict && (conflict ?? t.conflict)} />
}

interface AskProps
  extends Pick<ComponentProps<typeof Confirm>, 'title' | 'description' | 'isDangerous'> {
  /** Label of the button that opens the confirmation dialog. */
  label: string
  done: string
  /** Hint of the field for a reason. If undefined, the dialog has no such field. */
  reasonHint?: string
  act: (reason: string) => Promise<unknown>
}

/** A button whose action must be confirmed. */
export function Ask({ label, done, reasonHint, act, ...shown }: AskProps) {
  const t = useTexts(texts)
  const [isAsking, setIsAsking] = useState(false)
  const [reason, setReason] = useState('')
  const close = () => setIsAsking(false)
  const { mutate, isPending, error, reset } = useAct(act, done, close)
  const open = () => {
    reset()
    setIsAsking(true)
  }
  return (
    <>
      <Button size="small" look={shown.isDangerous ? 'danger' : 'quiet'} onClick={open}>
        {label}
      </Button>
      {isAsking && (
        <Confirm
          {...shown}
          isOpen
          onClose={close}
          act={label}
          isBusy={isPending}
          error={error}
          onConfirm={() => mutate(reason.trim())}
        >
          {reasonHint && (
            <TextArea
              label={t.reasonOptional}
              hint={reasonHint}
              value={reason}
              maxLength={1000}
              onChange={({ target }) => setReason(target.value)}
            />
          )}
        </Confirm>
      )}
    </>
  )
}

/** Returns a function that binds a field to a property of a draft, and to the server's error for this property. */
export function bindTo<D extends object>(draft: D, onDraft: (draft: D) => void, error: unknown) {
  const errors = fieldErrorsOf(error)
  return <K extends keyof D & string>(name: K) => ({
    value: draft[name],
    error: errors[name],
    onChange: (value: D[K]) => onDraft({ ...draft, [name]: value }),
  })
}

interface LineProps extends Omit<ComponentProps<typeof TextField>, 'onChange'> {
  onChange: (text: string) => void
}

/** Text field without suggestions of the browser. */
export function LineField({ onChange, ...field }: LineProps) {
  return (
    <TextField autoComplete="off" {...field} onChange={({ target }) => onChange(target.value)} />
  )
}

export interface Local {
  ko: string
  en: string
}

/**
 * Returns a text in two languages as the value of a `LocalField`. A missing translation, which the API returns as
 * null, becomes an empty string.
 */
export function toLocal(text: { ko: string | null; en: string | null } | undefined): Local {
  return { ko: text?.ko ?? '', en: text?.en ?? '' }
}

export function fromLocal({ ko, en }: Local): { ko?: string; en?: string } {
  return { ...(ko.trim() && { ko }), ...(en.trim() && { en }) }
}

interface LocalProps {
  label: string
  value: Local
  onChange: (value: Local) => void
  error?: string | undefined
  max: number
  /** Number of visible lines. If undefined, the field has one line and accepts no line breaks. */
  rows?: number
}

export function LocalField({ label, value, onChange, error, max, rows }: LocalProps) {
  const t = useTexts(texts)
  return (
    <div className={styles.pair}>
      {(['ko', 'en'] as const).map((language, index) => {
        const field = {
          label: `${label} (${t.languages[language]})`,
          lang: language,
          value: value[language],
          maxLength: max,
          autoComplete: 'off',
          error: index === 0 ? error : undefined,
          onChange: ({ target }: { target: { value: string } }) =>
            onChange({ ...value, [language]: target.value }),
        }
        return rows ? (
          <TextArea key={language} {...field} rows={rows} />
        ) : (
          <TextField key={language} {...field} />
        )
      })}
    </div>
  )
}

const MINUTE_MS = 60_000

interface MomentProps {
  label: string
  hint?: string
  error?: string | undefined
  /** Point in time in ISO 8601. Null when the field is empty. */
  value: string | null
  onChange: (value: string | null) => void
}

/** Date and time field that shows `value` in the browser's time zone. */
export function MomentField({ value, onChange, ...field }: MomentProps) {
  const offset = value ? new Date(value).getTimezoneOffset() * MINUTE_MS : 0
  const shown = value ? new Date(Date.parse(value) - offset).toISOString().slice(0, 16) : ''
  return (
    <TextField
      {...field}
      type="datetime-local"
      value={shown}
      onChange={({ target }) =>
        onChange(target.value ? new Date(target.value).toISOString() : null)
      }
    />
  )
}
