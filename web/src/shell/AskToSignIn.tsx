import { Suspense } from 'react'
import { useIsAsking } from '../session/asking.ts'
import { lazyPart } from '../session/lazyPart.ts'

const SignInDialog = lazyPart(() => import('../join/SignInDialog.tsx'), 'SignInDialog')

/** Sign-in dialog. Actions that require an account open it. */
export function AskToSignIn() {
  const isAsking = useIsAsking()
  return isAsking ? (
    <Suspense>
      <SignInDialog />
    </Suspense>
  ) : null
}
