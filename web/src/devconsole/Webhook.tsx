import { Tabs } from '@base-ui/react/tabs'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Send } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Webhook as WebhookRecord } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { NotFound } from '../shell/Failed.tsx'
import { Button } from '../ui/Button.tsx'
import { Skeleton } from '../ui/Loading.tsx'
import { Page } from '../ui/Page.tsx'
import { Code, Columns, Panel, Shortened } from '../ui/Panel.tsx'
import { Problem } from '../ui/Problem.tsx'
import { TableSkeleton } from '../ui/Table.tsx'
import choices from '../ui/Tabs.module.css'
import styles from './console.module.css'
import { Deliveries } from './Deliveries.tsx'
import { appQuery, useChange, useTest, webhooksQuery } from './queries.ts'
import { snippetsFor } from './snippets.ts'
import { texts } from './texts.ts'
import { Details, Secrets } from './WebhookDetails.tsx'
import own from './webhooks.module.css'
import { pathOf, WebhookForm } from './Webhooks.tsx'
import { texts as webhookTexts } from './webhookTexts.ts'

const route = getRouteApi('/devconsole/apps/$app_id/webhooks/$webhook_id')

export function Webhook() {
  const t = useTexts(webhookTexts)
  const { app_id, webhook_id } = route.useParams()
  const { data: webhooks, error, refetch } = useQuery(webhooksQuery(app_id))
  const webhook = webhooks?.find(({ id }) => id === webhook_id)
  if (webhook) return <Shown key={webhook.id} webhook={webhook} />
  if (webhooks) return <NotFound />
  if (!error) return <WebhookSkeleton app_id={app_id} />
  return (
    <Page title={t.webhooks} trail={<Trail app_id={app_id} />}>
      <Problem error={error} retry={() => void refetch()} />
    </Page>
  )
}

function WebhookSkeleton({ app_id }: { app_id: string }) {
  const t = useTexts(webhookTexts)
  return (
    <Page
      title={t.webhooks}
      trail={<Trail app_id={app_id} />}
      lead={<Skeleton width="240px" height="22px" />}
      actions={<Skeleton width="132px" height="40px" />}
    >
      <Columns side={<Skeleton height="340px" />}>
        <section>
          <div className={styles.bar}>
            <Skeleton width="220px" height="44px" />
          </div>
          <TableSkeleton rows={6} isDense />
        </section>
      </Columns>
    </Page>
  )
}

function Trail({ app_id }: { app_id: string }) {
  const t = useTexts(texts)
  const { data: app } = useQuery(appQuery(app_id))
  return (
    <>
      <Link to="/devconsole">{t.console}</Link>
      <span>
        <span aria-hidden="true">/ </span>
        <Link to="/devconsole/apps/$app_id" params={{ app_id }} search={{ part: 'webhooks' }}>
          {app?.app_name ?? t.webhooks}
        </Link>
      </span>
    </>
  )
}

function Shown({ webhook }: { webhook: WebhookRecord }) {
  const t = useTexts(webhookTexts)
  const navigate = route.useNavigate()
  const edit = useRef<HTMLButtonElement>(null)
  const [isEditing, setIsEditing] = useState(false)
  const [opened, setOpened] = useState<string>()
  const test = useTest(webhook, ({ id }) => {
    setOpened(id)
    void navigate({ search: {} })
  })
  const endEditing = () => {
    setIsEditing(false)
    edit.current?.focus()
  }
  return (
    <Page
      title={new URL(webhook.endpoint_url).host}
      lead={<Shortened text={pathOf(webhook.endpoint_url)} end={16} />}
      trail={<Trail app_id={webhook.app_id} />}
      actions={
        <Button look="primary" icon={<Send />} busy={test.isPending} onClick={() => test.mutate()}>
          {test.isPending ? t.testing : t.test}
        </Button>
      }
    >
      <div className={own.main}>
        {test.error && <Problem error={test.error} retry={() => test.mutate()} />}
        {!webhook.is_active && <p className={own.note}>{t.offNote}</p>}
        {isEditing && <Editing webhook={webhook} onDone={endEditing} />}
        <Columns
          side={
            <>
              <Details webhook={webhook} onEdit={() => setIsEditing(true)} editRef={edit} />
              <Secrets webhook={webhook} />
            </>
          }
        >
          <Deliveries webhook={webhook} opened={opened} onOpen={setOpened}>
            <Snippets endpoint_url={webhook.endpoint_url} />
          </Deliveries>
        </Columns>
      </div>
    </Page>
  )
}

function Editing({ webhook, onDone }: { webhook: WebhookRecord; onDone: () => void }) {
  const t = useTexts(webhookTexts)
  const { mutate, isPending, error } = useChange(webhook, onDone)
  return (
    <Panel title={t.edit}>
      <WebhookForm
        webhook={webhook}
        submit={t.save}
        isBusy={isPending}
        error={error}
        onSubmit={(fields) => mutate(fields)}
        onCancel={onDone}
      />
    </Panel>
  )
}

function Snippets({ endpoint_url }: { endpoint_url: string }) {
  const t = useTexts(webhookTexts)
  const snippets = snippetsFor(endpoint_url)
  return (
    <section className={own.snippets}>
      <div className={styles.once}>
        <h2>{t.verify}</h2>
        <p className="fine">{t.verifyHint}</p>
      </div>
      <Tabs.Root defaultValue="typescript" className={own.snippets}>
        <Tabs.List className={choices.choices} aria-label={t.languages}>
          {snippets.map(({ id, label }) => (
            <Tabs.Tab key={id} value={id}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {snippets.map(({ id, label, text }) => (
          <Tabs.Panel key={id} value={id} className={styles.once}>
            <Code label={label} text={text} />
            {id === 'curl' && <p className="fine">{t.tries}</p>}
          </Tabs.Panel>
        ))}
      </Tabs.Root>
    </section>
  )
}
