/** Mutations that send a test event or redeliver an event. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Delivery, Webhook } from '#sdk'
import { useFormats } from '../../language/formats.ts'
import { useTexts } from '../../language/texts.ts'
import { plaza } from '../../session/plaza.ts'
import { useProblemText } from '../../ui/Problem.tsx'
import { toast } from '../../ui/toast.ts'
import { deliveriesKey, webhooksQuery } from '../queries.ts'
import { texts } from './texts.ts'

/** Returns a mutation that sends an event. `onSent` receives the new delivery. */
function useSending<V>(
  { id: webhook_id, app_id }: Webhook,
  send: (given: V) => Promise<{ delivery: Delivery }>,
  tell: (delivery: Delivery) => void,
  onSent: (delivery: Delivery) => void,
) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: async ({ delivery }) => {
      // A failed attempt raises the webhook's failure count, so the webhook is refetched too.
      void queries.invalidateQueries({ queryKey: webhooksQuery(app_id).queryKey })
      await queries.invalidateQueries({ queryKey: deliveriesKey(webhook_id) })
      tell(delivery)
      onSent(delivery)
    },
  })
}

export function useTest(webhook: Webhook, onSent: (delivery: Delivery) => void) {
  const t = useTexts(texts)
  const formats = useFormats()
  const tell = ({ status, attempts }: Delivery) =>
    status === 'delivered'
      ? toast(t.testDelivered(formats.number(attempts[0]?.duration_ms ?? 0)))
      : toast(t.testFailed, { isBad: true })
  const { id: webhook_id } = webhook
  return useSending<void>(webhook, () => plaza.webhooks.test(webhook_id), tell, onSent)
}

export function useRedelivery(webhook: Webhook, onSent: (delivery: Delivery) => void) {
  const t = useTexts(texts)
  const tell = ({ status }: Delivery) => {
    if (status === 'delivered') return toast(t.redelivered)
    return toast(status === 'pending' ? t.redeliveryFailed : t.redeliveryFailedOff, { isBad: true })
  }
  const { id: webhook_id } = webhook
  const sending = useSending<string>(
    webhook,
    (delivery_id) => plaza.webhooks.redeliverEvent(webhook_id, delivery_id),
    tell,
    onSent,
  )
  return { ...sending, problem: useProblemText(sending.error) }
}
