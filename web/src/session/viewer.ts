/** Who is signed in here. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { Account } from '#sdk'
import { noteViewer } from './lastViewer.ts'
import { plaza } from './plaza.ts'

export const viewerQuery = queryOptions({
  queryKey: ['viewer'],
  queryFn: async ({ signal }) => {
    const { user } = await plaza.requireAccount({}, { signal })
    noteViewer(user.id)
    return user
  },
  staleTime: 5 * 60_000,
})

function subscribe(listener: () => void): () => void {
  return plaza.onSession(listener)
}

/** Whether somebody is signed in here; who, may still have to come. */
export function useIsSignedIn(): boolean {
  return useSyncExternalStore(subscribe, () => plaza.session !== null)
}

/** True once the viewer is known, or cannot be learned: drafts are each user's own. */
export function useIsViewerSettled(): boolean {
  const isSignedIn = useIsSignedIn()
  const { isPending } = useQuery({ ...viewerQuery, enabled: isSignedIn })
  return !isSignedIn || !isPending
}

/** Null when nobody is signed in; undefined until it is known who. */
export function useViewer(): Account | null | undefined {
  const isSignedIn = useIsSignedIn()
  const { data } = useQuery({ ...viewerQuery, enabled: isSignedIn })
  return isSignedIn ? data : null
}
