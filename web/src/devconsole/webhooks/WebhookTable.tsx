import { Link, useNavigate } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import type { Webhook } from '#sdk'
import { useTexts } from '../../language/texts.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { useProblemText } from '../../ui/Problem.tsx'
import { Shortened } from '../../ui/Shortened.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import styles from '../console.module.css'
import { DeleteWebhook, DisableWebhook } from './Asked.tsx'
import { useChange } from './changes.ts'
import { pathOf } from './endpoint.ts'
import { State } from './State.tsx'
import { texts } from './texts.ts'
import own from './webhooks.module.css'

const PAGE = '/devconsole/apps/$app_id/webhooks/$webhook_id'

export function WebhookTable({ webhooks }: { webhooks: readonly Webhook[] }) {
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
        trigger={
          <IconButton icon={<Ellipsis aria-hidden="true" />} label={t.actions(endpoint_url)} />
        }
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
