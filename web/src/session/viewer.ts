import { queryOptions, useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { Account } from '#sdk'
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
