import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Delivery, InputOf, Webhook } from '#sdk'
import { useFormats } from '../language/formats.ts'
import type { Language } from '../language/look.ts'
import { useTexts } from '../language/texts.ts'
import { isMissing, plaza } from '../session/plaza.ts'
import { toast } from '../ui/toast.ts'
import { texts } from './webhookTexts.ts'

/** Milliseconds for which scopes and event types are cached. They change only when the server is updated. */
const HOUR_MS = 60 * 60_000

export const appsQuery = queryOptions({
  queryKey: ['devconsole', 'apps'],
  queryFn: async ({ signal }) => (await plaza.apps.list({}, { signal })).apps,
})

export function appQuery(app_id: string) {
  return queryOptions({
    queryKey: ['devconsole', 'app', app_id],
    queryFn: async ({ signal }) => (await plaza.apps.get(app_id, {}, { signal })).app,
    throwOnError: (error: Error) => isMissing(error),
  })
}

export function keysQuery(app_id: string) {
  return queryOptions({
    queryKey: ['devconsole', 'keys', app_id],
    queryFn: async ({ signal }) => (await plaza.keys.list(app_id, {}, { signal })).keys,
  })
}

export const legacyKeysQuery = queryOptions({
  queryKey: ['devconsole', 'legacy-keys'],
  queryFn: async ({ signal }) => (await plaza.legacyKeys.list({}, { signal })).keys,
})

export function webhooksQuery(app_id: string) {
  return queryOptions({
    queryKey: ['devconsole', 'webhooks', app_id],
    queryFn: async ({ signal }) => (await plaza.webhooks.list(app_id, {}, { signal })).webhooks,
    throwOnError: (error: Error) => isMissing(error),
  })
}

export function deliveriesKey(webhook_id: string) {
  return ['devconsole', 'deliveries', webhook_id] as const
}

export function deliveriesQuery(webhook_id: string, page: number) {
  return queryOptions({
    queryKey: [...deliveriesKey(webhook_id), page],
    queryFn: ({ signal }) => plaza.webhooks.listDeliveries(webhook_id, { page }, { signal }),
  })
}

export function scopesQuery(language: Language) {
  return queryOptions({
    queryKey: ['devconsole', 'scopes', language],
    queryFn: async ({ signal }) => (await plaza.apps.listScopes({}, { signal })).scopes,
    staleTime: HOUR_MS,
  })
}

export function eventTypesQuery(language: Language) {
  return queryOptions({
    queryKey: ['devconsole', 'event-types', language],
    queryFn: async ({ signal }) =>
      (await plaza.webhooks.listEventTypes({}, { signal })).event_types,
    staleTime: HOUR_MS,
  })
}

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
