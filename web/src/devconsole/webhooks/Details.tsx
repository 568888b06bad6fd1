import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Ref, useState } from 'react'
import type { DataOf, Webhook } from '#sdk'
import { useTexts } from '../../language/texts.ts'
import { plaza } from '../../session/plaza.ts'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { Copied, Fact, Facts } from '../../ui/Facts.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { Time } from '../../ui/Time.tsx'
import styles from '../console.module.css'
import { DeleteWebhook, DisableWebhook } from './Asked.tsx'
import { useChange } from './changes.ts'
import { MadeSecrets } from './MadeSecrets.tsx'
import { State } from './State.tsx'
import { texts } from './texts.ts'

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
        <Time at={created_at} />
      </Fact>
    </Facts>
  )
}

/** Button that replaces the secrets of a webhook and shows the new ones once. */
export function Secrets({ webhook: { id: webhook_id } }: { webhook: Webhook }) {
  const t = useTexts(texts)
  const [isAsking, setIsAsking] = useState(false)
  const [made, setMade] = useState<DataOf<'rotateWebhookSecrets'>>()
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => plaza.webhooks.rotateSecrets(webhook_id),
    onSuccess: (answer) => {
      setIsAsking(false)
      setMade(answer)
    },
  })
  const close = () => {
    setIsAsking(false)
    reset()
  }
  return (
    <Panel title={t.secrets} hint={t.secretsHelp}>
      <div className={styles.buttons}>
        <Button size="small" onClick={() => setIsAsking(true)}>
          {t.rotate}
        </Button>
      </div>
      <Confirm
        isOpen={isAsking}
        onClose={close}
        title={t.rotateAsk}
        description={t.rotateHelp}
        act={t.rotate}
        isBusy={isPending}
        error={error}
        onConfirm={() => mutate()}
      />
      {made && (
        <MadeSecrets title={t.secretsRotated} made={made} onClose={() => setMade(undefined)} />
      )}
    </Panel>
  )
}
