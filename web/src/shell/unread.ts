import { queryOptions, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { byCursor, entriesOf } from '../lists/paging.ts'
import { plaza } from '../session/plaza.ts'
import { useIsSignedIn } from '../session/viewer.ts'

const POLL_MS = 30_000

/**
 * Conversations per page. Outside the messages page, the badge counts unread messages of the first page only.
 */
const CONVERSATIONS = 30

export const unreadQuery = queryOptions({
  queryKey: ['notifications', 'unread-count'],
  queryFn: async ({ signal }) =>
    (await plaza.notifications.countUnread({}, { signal })).unread_count,
})

export const conversationsQuery = byCursor(['messages', 'conversations'], (before, signal) =>
  plaza.conversations.list({ limit: CONVERSATIONS, ...(before && { before }) }, { signal }),
)

export function useUnreadCount(): number {
  const isSignedIn = useIsSignedIn()
  const { data } = useQuery({ ...unreadQuery, enabled: isSignedIn, refetchInterval: POLL_MS })
  return isSignedIn ? (data ?? 0) : 0
}

export function useUnreadMessageCount(): number {
  const isSignedIn = useIsSignedIn()
  useFirstPageOnly()
  const { data } = useInfiniteQuery({
    ...conversationsQuery,
    enabled: isSignedIn,
    refetchInterval: POLL_MS,
  })
  if (!isSignedIn) return 0
  return entriesOf(data?.pages, ({ conversations }) => conversations).reduce(
    (sum, { unread_count }) => sum + unread_count,
    0,
  )
}

/**
 * Outside the messages page, removes all cached pages except the first, because each poll refetches every cached page.
 */
function useFirstPageOnly(): void {
  const queries = useQueryClient()
  const isAtMessages = useRouterState({
    select: ({ location }) => location.pathname.startsWith('/messages'),
  })
  useEffect(() => {
    if (isAtMessages) return
    queries.setQueryData(
      conversationsQuery.queryKey,
      (cached) =>
        cached && { pages: cached.pages.slice(0, 1), pageParams: cached.pageParams.slice(0, 1) },
    )
  }, [isAtMessages, queries])
}

/** Adds the number of unread items to the title of the browser's tab, whichever page sets the title. */
export function useUnreadTitle(count: number): void {
  useEffect(() => {
    const show = () => {
      const plain = document.title.replace(/^\(\d+\+?\) /, '')
      const title = count > 0 ? `(${count > 99 ? '99+' : count}) ${plain}` : plain
      if (document.title !== title) document.title = title
    }
    show()
    const changes = new MutationObserver(show)
    changes.observe(document.head, { childList: true, subtree: true, characterData: true })
    return () => {
      changes.disconnect()
      document.title = document.title.replace(/^\(\d+\+?\) /, '')
    }
  }, [count])
}

/** Marks the icon of the tab while items are unread, and shows their number on the icon of the installed app. */
export function useUnreadIcon(count: number): void {
  const isUnread = count > 0
  useEffect(() => (isUnread ? addDot() : undefined), [isUnread])
  useEffect(() => {
    // Ignores the rejection by browsers without permission to show badges.
    void navigator.setAppBadge?.(count).catch(() => {})
  }, [count])
  useEffect(() => () => void navigator.clearAppBadge?.().catch(() => {}), [])
}

const ICON_SIDE = 64

/** Draws a dot on the icon of the tab. Returns a function that restores the icon without the dot. */
function addDot(): () => void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  if (!link) return () => {}
  const plain = link.href
  const ended = new AbortController()
  const image = new Image()
  const draw = () => {
    const canvas = document.createElement('canvas')
    canvas.width = ICON_SIDE
    canvas.height = ICON_SIDE
    const drawing = canvas.getContext('2d')
    if (!drawing) return
    const radius = ICON_SIDE / 5
    const centre = ICON_SIDE - radius
    drawing.drawImage(image, 0, 0, ICON_SIDE, ICON_SIDE)
    drawing.arc(centre, centre, radius, 0, 2 * Math.PI)
    drawing.fillStyle = '#d92d20'
    drawing.fill()
    link.href = canvas.toDataURL()
  }
  image.addEventListener('load', draw, { signal: ended.signal })
  image.src = plain
  return () => {
    ended.abort()
    link.href = plain
  }
}
