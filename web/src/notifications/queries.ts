/** Queries and mutations of notifications. */
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

/**
 * Notifications, newest first, in the viewer's language. Never refetched while the user reads, so that
 * nothing moves.
 */
export function notificationsQuery(language: Language) {
  return {
    ...byPages(listKey(language), (page, signal) =>
      plaza.notifications.list({ page, per_page: PER_PAGE }, { signal }),
    ),
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  }
}

/** Marks one notification as read in the list and on the badge, or all of them without an id. */
function mark(queries: QueryClient, language: Language, id?: string): void {
  const cached = queries.getQueryData<Pages>(listKey(language))
  const [first] = cached?.pages ?? []
  if (!cached || !first) return
  const isAffected = (one: Notification) => !one.is_read && (id === undefined || one.id === id)
  const all = cached.pages.flatMap(({ notifications }) => notifications)
  const count = id === undefined ? first.unread_count : Number(all.some(isAffected))
  queries.setQueryData<Pages>(listKey(language), {
    ...cached,
    pages: cached.pages.map((page) => ({
      ...page,
      unread_count: Math.max(0, page.unread_count - count),
      notifications: page.notifications.map((one) =>
        isAffected(one) ? { ...one, is_read: true } : one,
      ),
    })),
  })
  queries.setQueryData(unreadQuery.queryKey, (unread) => unread && Math.max(0, unread - count))
}

/** Refetches after an optimistic update that failed. */
async function restore(queries: QueryClient): Promise<void> {
  await queries.invalidateQueries({ queryKey: ['notifications'] })
}

/** Returns a function that marks a notification as read. */
export function useRead(): (id: string) => void {
  const queries = useQueryClient()
  const language = useLanguage()
  const { mutate } = useMutation({
    mutationFn: (id: string) => plaza.notifications.markRead(id),
    onMutate: (id) => mark(queries, language, id),
    // A failed mark is not worth an error message.
    onError: () => restore(queries),
  })
  return mutate
}

/** Marks notifications as read up to `newest`. If that one was withdrawn, marks up to the next older one. */
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

/** Returns the newest notification older than `newest`. Ids sort like the list. */
async function findBefore(newest: string): Promise<string | undefined> {
  for await (const { id } of plaza.notifications.list({ per_page: PER_PAGE })) {
    if (id < newest) return id
  }
  return undefined
}

/** Mutation that marks all loaded and older notifications as read. */
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
