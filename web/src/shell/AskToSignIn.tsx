import { Suspense } from 'react'
import { useIsAsking } from '../session/asking.ts'
import { lazyPart } from '../session/lazyPart.ts'

const SignInDialog = lazyPart(() => import('../join/SignInDialog.tsx'), 'SignInDialog')

/** Sign-in dialog, opened by actions that need an account. */
export function AskToSignIn() {
  const isAsking = useIsAsking()
  return isAsking ? (
    <Suspense>
      <SignInDialog />
    </Suspense>
  ) : null
}
