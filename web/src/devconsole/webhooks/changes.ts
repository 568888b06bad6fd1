import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Delivery, InputOf, Webhook } from '#sdk'
import { deliveriesKey, webhooksQuery } from '../queries.ts'
import { useFormats } from '../../language/formats.ts'
import { useTexts } from '../../language/texts.ts'
import { plaza } from '../../session/plaza.ts'
import { toast } from '../../ui/toast.ts'
import { texts } from './texts.ts'

function keep(queries: QueryClient, changed: Webhook): void {
  queries.setQueryData(webhooksQuery(changed.app_id).queryKey, (webhooks) =>
    webhooks?.map((webhook) => (webhook.id === changed.id ? changed : webhook)),
  )
  // Refetches the deliveries, because disabling a webhook ends its pending deliveries.
  void queries.invalidateQueries({ queryKey: deliveriesKey(changed.id) })
}

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

function useSending<V>(
  { id: webhook_id, app_id }: Webhook,
  send: (given: V) => Promise<{ delivery: Delivery }>,
  announce: (delivery: Delivery) => void,
  onSent: (delivery: Delivery) => void,
) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: async ({ delivery }) => {
      // Refetches the webhook, because a failed attempt raises the webhook's failure count.
      void queries.invalidateQueries({ queryKey: webhooksQuery(app_id).queryKey })
      await queries.invalidateQueries({ queryKey: deliveriesKey(webhook_id) })
      announce(delivery)
      onSent(delivery)
    },
  })
}

export function useTest(webhook: Webhook, onSent: (delivery: Delivery) => void) {
  const t = useTexts(texts)
  const formats = useFormats()
  const announce = ({ status, attempts }: Delivery) =>
    status === 'delivered'
      ? toast(t.testDelivered(formats.number(attempts[0]?.duration_ms ?? 0)))
      : toast(t.testFailed, { isBad: true })
  const { id: webhook_id } = webhook
  return useSending<void>(webhook, () => plaza.webhooks.test(webhook_id), announce, onSent)
}

export function useRedelivery(webhook: Webhook, onSent: (delivery: Delivery) => void) {
  const t = useTexts(texts)
  const announce = ({ status }: Delivery) => {
    if (status === 'delivered') return toast(t.redelivered)
    return toast(status === 'pending' ? t.redeliveryFailed : t.redeliveryFailedOff, { isBad: true })
  }
  const { id: webhook_id } = webhook
  const send = (delivery_id: string) => plaza.webhooks.redeliverEvent(webhook_id, delivery_id)
  return useSending(webhook, send, announce, onSent)
}
