/** The signed-in user, permissions, actions that need a session, and reloads when another tab changes the session. */
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { Account } from '#sdk'
import { whenRestoredStale } from '../device/storage.ts'
import { createStore, useStore } from '../device/store.ts'
import { noteViewer } from './askAgain.ts'
import { plaza } from './plaza.ts'

export const viewerQuery = queryOptions({
  queryKey: ['viewer'],
  queryFn: async ({ signal }) => {
    const { user } = await plaza.me.get({}, { signal })
    noteViewer(user.id)
    return user
  },
  staleTime: 5 * 60_000,
})

function subscribe(listener: () => void): () => void {
  return plaza.onSession(listener)
}

/** True when a session exists. The viewer's data may still be loading. */
export function useIsSignedIn(): boolean {
  return useSyncExternalStore(subscribe, () => plaza.session !== null)
}

/**
 * True when the viewer is signed out, loaded, or has failed to load. Drafts wait until then, because their keys contain
 * the viewer's id.
 */
export function useIsViewerSettled(): boolean {
  const isSignedIn = useIsSignedIn()
  const { isPending } = useQuery({ ...viewerQuery, enabled: isSignedIn })
  return !isSignedIn || !isPending
}

/** Returns the signed-in user. Null when signed out. Undefined while the user loads, or if loading failed. */
export function useViewer(): Account | null | undefined {
  const isSignedIn = useIsSignedIn()
  const { data } = useQuery({ ...viewerQuery, enabled: isSignedIn })
  return isSignedIn ? data : null
}

export type Permission = 'moderate' | 'members' | 'site'

/** True for administrators and for users with this permission. */
export function may(viewer: Account | null | undefined, permission: Permission): boolean {
  return viewer?.role === 'admin' || viewer?.permissions.includes(permission) === true
}

/** Query of the numbers of open cases, appeals and applications. Only for viewers with a permission. */
export const openQuery = queryOptions({
  queryKey: ['desk', 'counts'],
  queryFn: ({ signal }) => plaza.moderation.countOpen({}, { signal }),
})

/** Action that waits until the visitor has signed in. */
const pendingAction = createStore<(() => void) | undefined>(undefined)

/** Runs an action for a signed-in viewer. Asks a visitor to sign in first. */
export function asMember(action: () => void): void {
  if (plaza.session) action()
  else pendingAction.set(action)
}

export function forgetAction(): void {
  pendingAction.set(undefined)
}

export function runAction(): void {
  const action = pendingAction.get()
  forgetAction()
  action?.()
}

export function useIsAsking(): boolean {
  return useStore(pendingAction) !== undefined
}

/** Storage key of the session's expiry and user id, as in the SDK's `cookieSession`. */
const SESSION_KEY = 'plaza.session'

export function watchSession(queries: QueryClient): void {
  // Reloads after a sign-in or sign-out in another tab, because this tab shows the previous user's data.
  addEventListener('storage', ({ key, oldValue, newValue }) => {
    if (key === SESSION_KEY && isOthers(oldValue, newValue)) location.reload()
  })
  whenRestoredStale(SESSION_KEY, () => location.reload())
  // Checks the user after a token refresh, because another user may have signed in and replaced the cookie.
  plaza.onSession((session) => {
    if (!session) return
    const before = queries.getQueryData(viewerQuery.queryKey)?.id
    if (!before) return
    void queries
      .fetchQuery({ ...viewerQuery, staleTime: 0 })
      .then(({ id }) => id !== before && location.reload())
      .catch(() => {
        // Ignores the failure, because the next page load repeats the request.
      })
  })
}

/**
 * True when two stored session markers have different users, or only one of them exists. A marker is the expiry of the
 * access token, a space and the user's id.
 */
function isOthers(before: string | null, after: string | null): boolean {
  const whose = (mark: string | null) => mark?.split(' ')[1]
  return (before === null) !== (after === null) || whose(before) !== whose(after)
}
