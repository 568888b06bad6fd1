import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import type { App, DataOf, InputOf } from '#sdk'
import { useTexts } from '../../language/texts.ts'
import { plaza } from '../../session/plaza.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Problem } from '../../ui/Problem.tsx'
import styles from '../console.module.css'
import { webhooksQuery } from '../queries.ts'
import { TableSkeleton } from '../TableSkeleton.tsx'
import { MadeSecrets } from './MadeSecrets.tsx'
import { texts } from './texts.ts'
import { WebhookForm } from './WebhookForm.tsx'
import { WebhookTable } from './WebhookTable.tsx'

export function Webhooks({ app }: { app: App }) {
  const t = useTexts(texts)
  const { data: webhooks, isPending, error, refetch } = useQuery(webhooksQuery(app.id))
  const [isCreating, setIsCreating] = useState(false)
  const [made, setMade] = useState<DataOf<'createWebhook'>>()
  const create = (
    <Button look="primary" icon={<Plus aria-hidden="true" />} onClick={() => setIsCreating(true)}>
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
          <Empty
            icon={<WebhookIcon aria-hidden="true" />}
            title={t.emptyTitle}
            level={3}
            action={create}
          >
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
