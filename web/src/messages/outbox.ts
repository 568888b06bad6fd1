/**
 * Outbox of messages that the server has not accepted yet. The outbox survives a reload of the tab. All attempts to
 * send a message use the same id, so that the server stores one copy.
 */
import type { QueryClient } from '@tanstack/react-query'
import { isPlazaError, newIdempotencyKey } from '#sdk'
import { keep, loadJson } from '../device/storage.ts'
import { createStore, useStore } from '../device/store.ts'
import { plaza } from '../session/plaza.ts'
import { addSent } from './queries.ts'

export interface Unsent {
  client_message_id: string
  conversation_id: string
  sender_id: string
  body: string
  created_at: string
  state: 'sending' | 'failed'
  error?: unknown
}

const KEY = 'plaza.outbox'
/**
 * Latest attempt to send, by conversation. The next attempt waits for the latest one, so that messages keep their
 * order.
 */
const lines = new Map<string, Promise<void>>()
/** All messages in the outbox, oldest first. */
const unsent = createStore<readonly Unsent[]>(load())

/**
 * Loads the messages stored before a reload, marked as failed. Retrying a message that the server has already stored
 * is safe, because the message keeps its id.
 */
function load(): Unsent[] {
  const cached = loadJson(KEY, 'sessionStorage')
  if (!Array.isArray(cached)) return []
  return (cached as Unsent[]).map((entry) => ({ ...entry, state: 'failed' }))
}

function change(next: readonly Unsent[]): void {
  const cached = next.map((entry) => ({ ...entry, error: undefined }))
  keep(KEY, cached.length > 0 ? JSON.stringify(cached) : null, 'sessionStorage')
  unsent.set(next)
}

export function send(
  queries: QueryClient,
  to: Pick<Unsent, 'conversation_id' | 'sender_id' | 'body'>,
): void {
  const entry: Unsent = {
    ...to,
    client_message_id: newIdempotencyKey(),
    created_at: new Date().toISOString(),
    state: 'sending',
  }
  change([...unsent.get(), entry])
  queue(queries, entry)
}

export function retry(queries: QueryClient, entry: Unsent): void {
  replace({ ...entry, state: 'sending', error: undefined })
  queue(queries, entry)
}

export function discard({ client_message_id }: Unsent): void {
  change(unsent.get().filter((cached) => cached.client_message_id !== client_message_id))
}

function replace(entry: Unsent): void {
  change(
    unsent
      .get()
      .map((cached) => (cached.client_message_id === entry.client_message_id ? entry : cached)),
  )
}

function queue(queries: QueryClient, entry: Unsent): void {
  const before = lines.get(entry.conversation_id) ?? Promise.resolve()
  lines.set(
    entry.conversation_id,
    before.then(() => attempt(queries, entry)),
  )
}

async function attempt(queries: QueryClient, entry: Unsent): Promise<void> {
  const { conversation_id: id, body, client_message_id } = entry
  try {
    const { message } = await plaza.conversations.sendMessage(id, { body, client_message_id })
    addSent(queries, message)
    discard(entry)
  } catch (error) {
    replace({ ...entry, state: 'failed', error })
    if (isPlazaError(error, 'PEER_UNAVAILABLE')) {
      await queries.invalidateQueries({ queryKey: ['messages', 'peer'] })
    }
  }
}

export function useUnsent(conversationId: string, senderId: string | undefined): Unsent[] {
  return useStore(unsent).filter(
    (entry) => entry.conversation_id === conversationId && entry.sender_id === senderId,
  )
}
