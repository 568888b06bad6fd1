import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useIsSignedIn } from '../session/viewer.ts'
import { placeAfter } from './then.ts'

/** Leaves a page for signed-out visitors when the viewer is signed in. */
export function useThen(then: string | undefined): void {
  const { history } = useRouter()
  const isSignedIn = useIsSignedIn()
  useEffect(() => {
    if (isSignedIn) history.replace(placeAfter(then, location.origin))
  }, [isSignedIn, then, history])
}
