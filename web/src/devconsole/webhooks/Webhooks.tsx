import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Ellipsis, Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import type { App, DataOf, InputOf, Webhook } from '#sdk'
import { useTexts } from '../../language/texts.ts'
import { plaza } from '../../session/plaza.ts'
import { IconButton } from '../../ui/Button.tsx'
import { FieldError } from '../../ui/Field.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { Panel, Shortened } from '../../ui/Panel.tsx'
import { useProblemText } from '../../ui/Problem.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import styles from '../console.module.css'
import { Bar, Listing } from '../Listing.tsx'
import { webhooksQuery } from '../queries.ts'
import { useChange } from './changes.ts'
import { DeleteWebhook, DisableWebhook, MadeSecrets, State } from './Details.tsx'
import { texts } from './texts.ts'
import { pathOf, WebhookForm } from './WebhookForm.tsx'
import own from './webhooks.module.css'

export function Webhooks({ app }: { app: App }) {
  const t = useTexts(texts)
  const [made, setMade] = useState<DataOf<'createWebhook'>>()
  return (
    <>
      <Listing
        query={useQuery(webhooksQuery(app.id))}
        create={t.newWebhook}
        empty={{ icon: <WebhookIcon />, title: t.emptyTitle, level: 3, children: t.emptyHelp }}
        form={(close) => (
          <NewWebhook
            app_id={app.id}
            onCancel={close}
            onMade={(answer) => {
              setMade(answer)
              close()
            }}
          />
        )}
        frame={(button, list) => (
          <>
            <Bar title={t.webhooks} lead={t.lead}>
              {button}
            </Bar>
            {list}
          </>
        )}
      >
        {(webhooks) => <WebhookTable webhooks={webhooks} />}
      </Listing>
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
        <Time time={created_at} />
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
      <FieldError>{error && problem}</FieldError>
      {asked === 'disable' && <DisableWebhook webhook={webhook} onClose={close} />}
      {asked === 'delete' && <DeleteWebhook webhook={webhook} onClose={close} />}
    </>
  )
}
