import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Ellipsis, Plus, Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import type { App, DataOf, InputOf, Webhook } from '#sdk'
import styles from '../console.module.css'
import { webhooksQuery } from '../queries.ts'
import { useTexts } from '../../language/texts.ts'
import { plaza } from '../../session/plaza.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { Panel, Shortened } from '../../ui/Panel.tsx'
import { Problem, useProblemText } from '../../ui/Problem.tsx'
import { Table, TableSkeleton } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { DeleteWebhook, DisableWebhook, MadeSecrets, State } from './Details.tsx'
import { pathOf, WebhookForm } from './WebhookForm.tsx'
import { useChange } from './changes.ts'
import { texts } from './texts.ts'
import own from './webhooks.module.css'

export function Webhooks({ app }: { app: App }) {
  const t = useTexts(texts)
  const { data: webhooks, isPending, error, refetch } = useQuery(webhooksQuery(app.id))
  const [isCreating, setIsCreating] = useState(false)
  const [made, setMade] = useState<DataOf<'createWebhook'>>()
  const create = (
    <Button look="primary" icon={<Plus />} onClick={() => setIsCreating(true)}>
      {t.newWebhook}
    </Button>
  )
  const hasWebhooks = webhooks !== undefined && webhooks.length > 0
  return (
    <>
      <div className={styles.bar}>
        <div>
          <h2>{t.webhooks}</h2>
          <p className={styles.muted}>{t.lead}</p>
        </div>
        {/* Shown while the webhooks load, so that nothing below it shifts. */}
        {(isPending || hasWebhooks) && !isCreating && create}
      </div>
      {isCreating && (
        <NewWebhook
          app_id={app.id}
          onCancel={() => setIsCreating(false)}
          onMade={(answer) => {
            setMade(answer)
            setIsCreating(false)
          }}
        />
      )}
      <div className={isCreating ? styles.stack : undefined}>
        {isPending && <TableSkeleton />}
        {error && !webhooks && <Problem error={error} retry={() => void refetch()} />}
        {webhooks?.length === 0 && !isCreating && (
          <Empty icon={<WebhookIcon />} title={t.emptyTitle} level={3} action={create}>
            {t.emptyHelp}
          </Empty>
        )}
        {hasWebhooks && <WebhookTable webhooks={webhooks} />}
      </div>
      {made && <MadeSecrets title={t.secretsMade} made={made} onClose={() => setMade(undefined)} />}
    </>
  )
}

interface NewProps {
  app_id: string
  onMade: (made: DataOf<'createWebhook'>) => void
  onCancel: () => void
}

function NewWebhook({ app_id, onMade, onCancel }: NewProps) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (fields: InputOf<'createWebhook'>) => plaza.webhooks.create(app_id, fields),
    onSuccess: (made) => {
      onMade(made)
      void queries.invalidateQueries({ queryKey: webhooksQuery(app_id).queryKey })
    },
  })
  return (
    <Panel title={t.newWebhook}>
      <WebhookForm
        submit={t.createWebhook}
        isBusy={isPending}
        error={error}
        onSubmit={(fields) => mutate(fields)}
        onCancel={onCancel}
      />
    </Panel>
  )
}

const PAGE = '/devconsole/apps/$app_id/webhooks/$webhook_id'

function WebhookTable({ webhooks }: { webhooks: readonly Webhook[] }) {
  const t = useTexts(texts)
  return (
    <Table
      label={t.webhooks}
      heads={[t.endpoint, t.state, t.events, t.added]}
      actions={t.rowActions}
    >
      {webhooks.map((webhook) => (
        <Row key={webhook.id} webhook={webhook} />
      ))}
    </Table>
  )
}

function Row({ webhook }: { webhook: Webhook }) {
  const t = useTexts(texts)
  const { id: webhook_id, app_id, endpoint_url, events, created_at } = webhook
  const { host } = new URL(endpoint_url)
  return (
    <tr>
      <td>
        <Link
          to={PAGE}
          params={{ app_id, webhook_id }}
          className={`${styles.name} ${own.endpoint}`}
          aria-label={endpoint_url}
        >
          {host}
          <span className={own.path}>
            <Shortened text={pathOf(endpoint_url)} end={16} />
          </span>
        </Link>
      </td>
      <td>
        <State webhook={webhook} />
      </td>
      <td title={events.join(', ')} className={styles.nowrap}>
        {t.eventCount(events.length)}
      </td>
      <td className={styles.nowrap}>
        <Time at={created_at} />
      </td>
      <td className={styles.end}>
        <Actions webhook={webhook} />
      </td>
    </tr>
  )
}

function Actions({ webhook }: { webhook: Webhook }) {
  const t = useTexts(texts)
  const navigate = useNavigate()
  const [asked, setAsked] = useState<'disable' | 'delete'>()
  const { mutate, error } = useChange(webhook)
  const problem = useProblemText(error)
  const { id: webhook_id, app_id, endpoint_url, is_active } = webhook
  const open = () => void navigate({ to: PAGE, params: { app_id, webhook_id } })
  const close = () => setAsked(undefined)
  return (
    <>
      <Menu
        trigger={<IconButton icon={<Ellipsis />} label={t.actions(endpoint_url)} />}
        groups={[
          [
            { label: t.open, onClick: open },
            is_active
              ? { label: t.disable, onClick: () => setAsked('disable') }
              : { label: t.enable, onClick: () => mutate({ is_active: true }) },
          ],
          [{ label: t.delete, onClick: () => setAsked('delete'), isDangerous: true }],
        ]}
      />
      {error && (
        <p className={styles.error} role="alert">
          {problem}
        </p>
      )}
      {asked === 'disable' && <DisableWebhook webhook={webhook} onClose={close} />}
      {asked === 'delete' && <DeleteWebhook webhook={webhook} onClose={close} />}
    </>
  )
}
