import { Suspense } from 'react'
import { useIsAsking } from '../session/asking.ts'
import { lazyPart } from '../session/lazyPart.ts'

const SignInDialog = lazyPart(() => import('../join/SignInDialog.tsx'), 'SignInDialog')

/** Opens where somebody who is not signed in does what needs it. */
export function AskToSignIn() {
  const isAsking = useIsAsking()
  return isAsking ? (
    <Suspense>
      <SignInDialog />
    </Suspense>
  ) : null
}
