import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { App as AppRecord, InputOf } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { deleteOnce, plaza } from '../session/plaza.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { ConfirmRequest } from '../ui/Dialog.tsx'
import { TextField } from '../ui/Field.tsx'
import { Skeleton } from '../ui/Loading.tsx'
import { Page } from '../ui/Page.tsx'
import { Copied, Panel } from '../ui/Panel.tsx'
import { Loaded } from '../ui/Problem.tsx'
import { TableSkeleton } from '../ui/Table.tsx'
import { Tab, Tabs } from '../ui/Tabs.tsx'
import { toast } from '../ui/toast.ts'
import { AppForm } from './Apps.tsx'
import styles from './console.module.css'
import { Keys } from './Keys.tsx'
import { appQuery, appsQuery } from './queries.ts'
import { texts } from './texts.ts'
import { Webhooks } from './Webhooks.tsx'

const route = getRouteApi('/devconsole/apps/$app_id')
const PARTS = { keys: Keys, webhooks: Webhooks, settings: Settings }

export function App() {
  const t = useTexts(texts)
  const { app_id } = route.useParams()
  const { part = 'keys' } = route.useSearch()
  const query = useQuery(appQuery(app_id))
  const { data: app, error } = query
  const Part = PARTS[part]
  return (
    <Page
      title={app?.app_name ?? t[part]}
      trail={<Link to="/devconsole">{t.console}</Link>}
      lead={app ? <Facts app={app} /> : !error && <Skeleton width="240px" height="32px" />}
    >
      <Tabs label={t.parts}>
        {([undefined, 'webhooks', 'settings'] as const).map((name) => (
          <Tab key={name} to="/devconsole/apps/$app_id" params={{ app_id }} search={{ part: name }}>
            {t[name ?? 'keys']}
          </Tab>
        ))}
      </Tabs>
      <Loaded query={query} skeleton={<PartSkeleton />}>
        {(loaded) => <Part key={loaded.id} app={loaded} />}
      </Loaded>
    </Page>
  )
}

function Facts({ app: { id, app_type } }: { app: AppRecord }) {
  const t = useTexts(texts)
  return (
    <span className={styles.facts}>
      <Badge>{t.types[app_type as keyof typeof t.types] ?? app_type}</Badge>
      <Copied text={id} label={t.copyId} />
    </span>
  )
}

function PartSkeleton() {
  return (
    <>
      <div className={styles.bar}>
        <Skeleton width="240px" height="47px" />
        <Skeleton width="132px" height="40px" />
      </div>
      <TableSkeleton />
    </>
  )
}

function Settings({ app }: { app: AppRecord }) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (fields: InputOf<'updateApp'>) => plaza.apps.update(app.id, fields),
    onSuccess: ({ app: changed }) => {
      queries.setQueryData(appQuery(app.id).queryKey, changed)
      void queries.invalidateQueries({ queryKey: appsQuery.queryKey })
      toast(t.saved)
    },
  })
  return (
    <div className={styles.parts}>
      <Panel title={t.about}>
        <AppForm
          app={app}
          submit={t.save}
          isBusy={isPending}
          error={error}
          onSubmit={(fields) => mutate(fields)}
        />
      </Panel>
      <Panel title={t.deleteTitle} hint={t.deleteHelp}>
        <Deletion app={app} />
      </Panel>
    </div>
  )
}

function Deletion({ app: { id: app_id, app_name } }: { app: AppRecord }) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [isAsking, setIsAsking] = useState(false)
  const [typed, setTyped] = useState('')
  const close = () => {
    setIsAsking(false)
    setTyped('')
  }
  return (
    <div className={styles.buttons}>
      <Button look="danger" onClick={() => setIsAsking(true)}>
        {t.deleteApp}
      </Button>
      <ConfirmRequest
        isOpen={isAsking}
        onClose={close}
        title={t.deleteAsk(app_name)}
        description={t.deleteHelp}
        act={t.deleteApp}
        isDangerous
        missing={typed.trim() !== app_name && t.deleteMissing}
        request={() => deleteOnce('APP_NOT_FOUND', () => plaza.apps.delete(app_id))}
        onDone={async () => {
          void queries.invalidateQueries({ queryKey: appsQuery.queryKey })
          await navigate({ to: '/devconsole' })
          toast(t.deleted)
          queries.removeQueries({ queryKey: appQuery(app_id).queryKey })
        }}
      >
        <TextField
          label={t.deleteType(app_name)}
          value={typed}
          autoComplete="off"
          onChange={({ target }) => setTyped(target.value)}
        />
      </ConfirmRequest>
    </div>
  )
}
