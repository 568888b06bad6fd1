import { useQueryClient } from '@tanstack/react-query'
import type { Account } from '#sdk'
import { askAgain } from '../session/askAgain.ts'
import { useIsSignedIn, viewerQuery } from '../session/viewer.ts'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { placeAfter } from './rules.ts'

/** Returns a function to call after a sign-in. It refetches the page's data and then calls `onDone`. */
export function useEntered(onDone?: () => void): (answer: { user: Account }) => Promise<void> {
  const queries = useQueryClient()
  return async ({ user }) => {
    queries.setQueryData(viewerQuery.queryKey, user)
    await askAgain(queries, user.id)
    onDone?.()
  }
}

/** Replaces the current page with the page in `then` once the viewer is signed in. */
export function useThen(then: string | undefined): void {
  const { history } = useRouter()
  const isSignedIn = useIsSignedIn()
  useEffect(() => {
    if (isSignedIn) history.replace(placeAfter(then, location.origin))
  }, [isSignedIn, then, history])
}
