import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Blocks, BookOpen, ChevronRight, KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'
import type { App as AppRecord, InputOf } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { plaza } from '../session/plaza.ts'
import { Badge } from '../ui/Badge.tsx'
import { Page } from '../ui/Page.tsx'
import { Panel } from '../ui/Panel.tsx'
import { Table } from '../ui/Table.tsx'
import { Time } from '../ui/Time.tsx'
import { toast } from '../ui/toast.ts'
import { AppForm } from './AppForm.tsx'
import { Listing } from './Listing.tsx'
import { ScopeList } from './Scopes.tsx'
import styles from './console.module.css'
import { appQuery, appsQuery } from './queries.ts'
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

function AppTable({ apps }: { apps: readonly AppRecord[] }) {
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
