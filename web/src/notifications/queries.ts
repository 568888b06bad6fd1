import {
  type InfiniteData,
  type QueryClient,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { type DataOf, isPlazaError, type Notification } from '#sdk'
import { type Language, useLanguage } from '../language/look.ts'
import { useTexts } from '../language/texts.ts'
import { byPages } from '../lists/paging.ts'
import { plaza } from '../session/plaza.ts'
import { unreadQuery } from '../shell/unread.ts'
import { texts } from '../ui/texts.ts'
import { toast } from '../ui/toast.ts'

const PER_PAGE = 30

type Page = DataOf<'listNotifications'>
type Pages = InfiniteData<Page, number>

function listKey(language: Language) {
  return ['notifications', 'list', language] as const
}

/** Query of the notifications. Does not refetch on focus or reconnection, so that nothing moves during reading. */
export function notificationsQuery(language: Language) {
  return {
    ...byPages(listKey(language), (page, signal) =>
      plaza.notifications.list({ page, per_page: PER_PAGE }, { signal }),
    ),
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  }
}

function mark(queries: QueryClient, language: Language, id?: string): void {
  const cached = queries.getQueryData<Pages>(listKey(language))
  const [first] = cached?.pages ?? []
  if (!cached || !first) return
  const isAffected = (entry: Notification) =>
    !entry.is_read && (id === undefined || entry.id === id)
  const entries = cached.pages.flatMap(({ notifications }) => notifications)
  const count = id === undefined ? first.unread_count : Number(entries.some(isAffected))
  queries.setQueryData<Pages>(listKey(language), {
    ...cached,
    pages: cached.pages.map((page) => ({
      ...page,
      unread_count: Math.max(0, page.unread_count - count),
      notifications: page.notifications.map((entry) =>
        isAffected(entry) ? { ...entry, is_read: true } : entry,
      ),
    })),
  })
  queries.setQueryData(unreadQuery.queryKey, (unread) => unread && Math.max(0, unread - count))
}

async function restore(queries: QueryClient): Promise<void> {
  await queries.invalidateQueries({ queryKey: ['notifications'] })
}

export function useRead(): (id: string) => void {
  const queries = useQueryClient()
  const language = useLanguage()
  const { mutate } = useMutation({
    mutationFn: (id: string) => plaza.notifications.markRead(id),
    onMutate: (id) => mark(queries, language, id),
    // Shows no error message. The notification remains unread.
    onError: () => restore(queries),
  })
  return mutate
}

/**
 * Marks the notifications up to `newest` as read. If the server has withdrawn `newest`, starts at the next older
 * notification.
 */
async function readUpTo(queries: QueryClient, newest: string): Promise<void> {
  try {
    await plaza.notifications.markAllRead({ up_to: newest })
  } catch (error) {
    if (!isPlazaError(error, 'VALIDATION_ERROR')) throw error
    const before = await findBefore(newest)
    if (before) await plaza.notifications.markAllRead({ up_to: before })
    await restore(queries)
  }
}

async function findBefore(newest: string): Promise<string | undefined> {
  for await (const { id } of plaza.notifications.list({ per_page: PER_PAGE })) {
    if (id < newest) return id
  }
  return undefined
}

export function useReadAll() {
  const queries = useQueryClient()
  const language = useLanguage()
  const t = useTexts(texts)
  return useMutation({
    mutationFn: (newest: string) => readUpTo(queries, newest),
    onMutate: () => mark(queries, language),
    onSuccess: () => queries.invalidateQueries({ queryKey: unreadQuery.queryKey }),
    onError: async () => {
      toast(t.undone, { isBad: true })
      await restore(queries)
    },
  })
}
