import { queryOptions } from '@tanstack/react-query'
import type { Language } from '../language/look.ts'
import { isMissing, plaza } from '../session/plaza.ts'

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
