/** One's notifications, as they are asked for and marked. */
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

/** Newest first, in the reader's language. What is new is not put above what is being read. */
export function notificationsQuery(language: Language) {
  return {
    ...byPages(listKey(language), (page, signal) =>
      plaza.listNotifications({ page, per_page: PER_PAGE }, { signal }),
    ),
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  }
}

/** Marks one as read, or without an id all there are, in the list and on the badge. */
function mark(queries: QueryClient, language: Language, id?: string): void {
  const kept = queries.getQueryData<Pages>(listKey(language))
  const [first] = kept?.pages ?? []
  if (!kept || !first) return
  const isMeant = (one: Notification) => !one.is_read && (id === undefined || one.id === id)
  const all = kept.pages.flatMap(({ notifications }) => notifications)
  const count = id === undefined ? first.unread_count : Number(all.some(isMeant))
  queries.setQueryData<Pages>(listKey(language), {
    ...kept,
    pages: kept.pages.map((page) => ({
      ...page,
      unread_count: Math.max(0, page.unread_count - count),
      notifications: page.notifications.map((one) =>
        isMeant(one) ? { ...one, is_read: true } : one,
      ),
    })),
  })
  queries.setQueryData(unreadQuery.queryKey, (unread) => unread && Math.max(0, unread - count))
}

/** Asks again for what was shown before it was known. */
async function restore(queries: QueryClient): Promise<void> {
  await queries.invalidateQueries({ queryKey: ['notifications'] })
}

/** Gives what marks one as read. */
export function useRead(): (id: string) => void {
  const queries = useQueryClient()
  const language = useLanguage()
  const { mutate } = useMutation({
    mutationFn: (id: string) => plaza.readNotification({ id }),
    onMutate: (id) => mark(queries, language, id),
    // Read is read: an answer that does not come is no reason to interrupt anybody.
    onError: () => restore(queries),
  })
  return mutate
}

/** Marks those up to `newest`, and where that was withdrawn meanwhile, up to the one before it that is left. */
async function readUpTo(queries: QueryClient, newest: string): Promise<void> {
  try {
    await plaza.readAllNotifications({ up_to: newest })
  } catch (error) {
    if (!isPlazaError(error, 'VALIDATION_ERROR')) throw error
    const before = await findBefore(newest)
    if (before) await plaza.readAllNotifications({ up_to: before })
    await restore(queries)
  }
}

/** The newest of one's notifications that is older than `newest`: ids are in the order of the list. */
async function findBefore(newest: string): Promise<string | undefined> {
  for await (const { id } of plaza.each('listNotifications', { per_page: PER_PAGE })) {
    if (id < newest) return id
  }
  return undefined
}

/** Marks all that were shown, and what is older. */
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
