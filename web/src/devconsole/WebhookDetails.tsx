import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Ref, useState } from 'react'
import type { DataOf, Webhook } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { deleteOnce, plaza } from '../session/plaza.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { ConfirmRequest } from '../ui/Dialog.tsx'
import { Copied, Fact, Facts, Panel } from '../ui/Panel.tsx'
import { Problem } from '../ui/Problem.tsx'
import { Time } from '../ui/Time.tsx'
import { toast } from '../ui/toast.ts'
import styles from './console.module.css'
import { Once } from './consoleParts.tsx'
import { deliveriesKey, useChange, webhooksQuery } from './queries.ts'
import { texts } from './webhookTexts.ts'

interface Props {
  webhook: Webhook
  onEdit: () => void
  /** Ref of the edit button, which receives the focus when editing ends. */
  editRef: Ref<HTMLButtonElement>
}

export function Details({ webhook, onEdit, editRef }: Props) {
  const t = useTexts(texts)
  const navigate = useNavigate()
  const [asked, setAsked] = useState<'disable' | 'delete'>()
  const enabling = useChange(webhook)
  const close = () => setAsked(undefined)
  const params = { app_id: webhook.app_id }
  return (
    <Panel title={t.details}>
      <About webhook={webhook} />
      {enabling.error && <Problem error={enabling.error} />}
      <div className={styles.buttons}>
        <Button ref={editRef} size="small" onClick={onEdit}>
          {t.edit}
        </Button>
        {webhook.is_active ? (
          <Button size="small" onClick={() => setAsked('disable')}>
            {t.disable}
          </Button>
        ) : (
          <Button
            size="small"
            busy={enabling.isPending}
            onClick={() => enabling.mutate({ is_active: true })}
          >
            {t.enable}
          </Button>
        )}
        <Button size="small" look="danger" onClick={() => setAsked('delete')}>
          {t.delete}
        </Button>
      </div>
      {asked === 'disable' && <DisableWebhook webhook={webhook} onClose={close} />}
      {asked === 'delete' && (
        <DeleteWebhook
          webhook={webhook}
          onClose={close}
          onDeleted={() =>
            navigate({ to: '/devconsole/apps/$app_id', params, search: { part: 'webhooks' } })
          }
        />
      )}
    </Panel>
  )
}

function About({ webhook }: { webhook: Webhook }) {
  const t = useTexts(texts)
  const { id, endpoint_url, events, created_at } = webhook
  return (
    <Facts>
      <Fact name={t.state}>
        <State webhook={webhook} />
      </Fact>
      <Fact name={t.endpoint}>
        <Copied text={endpoint_url} label={t.copyUrl} />
      </Fact>
      <Fact name={t.events}>
        {events.map((event) => (
          <code key={event}>{event}</code>
        ))}
      </Fact>
      <Fact name={t.webhookId}>
        <Copied text={id} label={t.copyId} />
      </Fact>
      <Fact name={t.added}>
        <Time time={created_at} />
      </Fact>
    </Facts>
  )
}

export function Secrets({ webhook: { id: webhook_id } }: { webhook: Webhook }) {
  const t = useTexts(texts)
  const [isAsking, setIsAsking] = useState(false)
  const [made, setMade] = useState<DataOf<'rotateWebhookSecrets'>>()
  return (
    <Panel title={t.secrets} hint={t.secretsHelp}>
      <div className={styles.buttons}>
        <Button size="small" onClick={() => setIsAsking(true)}>
          {t.rotate}
        </Button>
      </div>
      <ConfirmRequest
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={t.rotateAsk}
        description={t.rotateHelp}
        act={t.rotate}
        request={() => plaza.webhooks.rotateSecrets(webhook_id)}
        onDone={setMade}
      />
      {made && (
        <MadeSecrets title={t.secretsRotated} made={made} onClose={() => setMade(undefined)} />
      )}
    </Panel>
  )
}

interface AskedProps {
  webhook: Webhook
  onClose: () => void
}

export function DisableWebhook({ webhook, onClose }: AskedProps) {
  const t = useTexts(texts)
  const { mutateAsync } = useChange(webhook)
  return (
    <ConfirmRequest
      isOpen
      onClose={onClose}
      title={t.disableAsk}
      description={t.disableHelp}
      act={t.disable}
      request={() => mutateAsync({ is_active: false })}
    />
  )
}

export function DeleteWebhook({
  webhook: { id: webhook_id, app_id },
  onClose,
  onDeleted,
}: AskedProps & { onDeleted?: () => unknown }) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  return (
    <ConfirmRequest
      isOpen
      onClose={onClose}
      title={t.deleteAsk}
      description={t.deleteHelp}
      act={t.delete}
      isDangerous
      request={() => deleteOnce('WEBHOOK_NOT_FOUND', () => plaza.webhooks.delete(webhook_id))}
      onDone={async () => {
        await onDeleted?.()
        toast(t.deleted)
        queries.setQueryData(webhooksQuery(app_id).queryKey, (webhooks) =>
          webhooks?.filter(({ id }) => id !== webhook_id),
        )
        queries.removeQueries({ queryKey: deliveriesKey(webhook_id) })
      }}
    />
  )
}

export function State({ webhook: { is_active, failure_count } }: { webhook: Webhook }) {
  const t = useTexts(texts)
  if (!is_active) return <Badge>{t.off}</Badge>
  if (failure_count > 0) return <Badge tone="warn">{t.failing(failure_count)}</Badge>
  return <Badge tone="good">{t.on}</Badge>
}

interface MadeSecretsProps {
  title: string
  made: DataOf<'createWebhook'>
  onClose: () => void
}

export function MadeSecrets({
  title,
  made: { secret, signing_secret },
  onClose,
}: MadeSecretsProps) {
  const t = useTexts(texts)
  return (
    <Once
      title={title}
      secrets={[
        { label: t.secret, hint: t.secretHint, value: secret },
        { label: t.signingSecret, hint: t.signingHint, value: signing_secret },
      ]}
      onClose={onClose}
    />
  )
}
