import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { App as AppRecord } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { Badge } from '../ui/Badge.tsx'
import { Copied } from '../ui/Facts.tsx'
import { Page } from '../ui/Page.tsx'
import { Problem } from '../ui/Problem.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Tab, Tabs } from '../ui/Tabs.tsx'
import styles from './console.module.css'
import { Keys } from './keys/Keys.tsx'
import { appQuery } from './queries.ts'
import { Settings } from './Settings.tsx'
import { TableSkeleton } from './TableSkeleton.tsx'
import { texts } from './texts.ts'
import { Webhooks } from './webhooks/Webhooks.tsx'

const route = getRouteApi('/devconsole/apps/$app_id')
const PARTS = { keys: Keys, webhooks: Webhooks, settings: Settings }

/** Page of an app, with its keys, webhooks and settings. */
export function App() {
  const t = useTexts(texts)
  const { app_id } = route.useParams()
  const { part = 'keys' } = route.useSearch()
  const { data: app, error, refetch } = useQuery(appQuery(app_id))
  const Part = PARTS[part]
  return (
    <Page
      title={app?.app_name ?? t[part]}
      trail={<Link to="/devconsole">{t.console}</Link>}
      lead={app ? <Facts app={app} /> : !error && <Skeleton width="240px" height="32px" />}
    >
      <Tabs label={t.parts}>
        <Tab to="/devconsole/apps/$app_id" params={{ app_id }} search={{}}>
          {t.keys}
        </Tab>
        <Tab to="/devconsole/apps/$app_id" params={{ app_id }} search={{ part: 'webhooks' }}>
          {t.webhooks}
        </Tab>
        <Tab to="/devconsole/apps/$app_id" params={{ app_id }} search={{ part: 'settings' }}>
          {t.settings}
        </Tab>
      </Tabs>
      {app && <Part key={app.id} app={app} />}
      {!app && (error ? <Problem error={error} retry={() => void refetch()} /> : <PartSkeleton />)}
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
