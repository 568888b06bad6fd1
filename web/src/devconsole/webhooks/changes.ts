/** Mutations of a webhook. Each writes the server's response to the cached list. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { InputOf, Webhook } from '#sdk'
import { useTexts } from '../../language/texts.ts'
import { plaza } from '../../session/plaza.ts'
import { toast } from '../../ui/toast.ts'
import { deleteOnce } from '../deletion.ts'
import { deliveriesKey, webhooksQuery } from '../queries.ts'
import { texts } from './texts.ts'

function keep(queries: QueryClient, changed: Webhook): void {
  queries.setQueryData(webhooksQuery(changed.app_id).queryKey, (webhooks) =>
    webhooks?.map((webhook) => (webhook.id === changed.id ? changed : webhook)),
  )
  // The server fails pending deliveries when a webhook is disabled.
  void queries.invalidateQueries({ queryKey: deliveriesKey(changed.id) })
}

/** Returns a mutation that changes a webhook's URL, events or enabled state. */
export function useChange({ id: webhook_id }: Webhook, onDone?: () => void) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (change: InputOf<'updateWebhook'>) => plaza.webhooks.update(webhook_id, change),
    onSuccess: ({ webhook }, { is_active }) => {
      keep(queries, webhook)
      toast(is_active === undefined ? t.saved : is_active ? t.enabled : t.disabled)
      onDone?.()
    },
  })
}

export function useDeletion({ id: webhook_id, app_id }: Webhook, onDone?: () => unknown) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => deleteOnce('WEBHOOK_NOT_FOUND', () => plaza.webhooks.delete(webhook_id)),
    onSuccess: async () => {
      await onDone?.()
      toast(t.deleted)
      queries.setQueryData(webhooksQuery(app_id).queryKey, (webhooks) =>
        webhooks?.filter(({ id }) => id !== webhook_id),
      )
      queries.removeQueries({ queryKey: deliveriesKey(webhook_id) })
    },
  })
}
