/** Creation of passkeys, sign-in with them, and the steps after a sign-in. The WebAuthn library loads on first use. */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Account } from '#sdk'
import { askAgain } from '../session/askAgain.ts'
import { plaza } from '../session/plaza.ts'
import { useIsSignedIn, viewerQuery } from '../session/viewer.ts'
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

/** Creates a passkey in the browser and registers it. */
export async function createPasskey(name: string, current_password: string) {
  const { options } = await plaza.secondFactor.getPasskeyOptions({ current_password })
  const { startRegistration } = await import('@simplewebauthn/browser')
  const credential = await startRegistration({
    optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON,
  })
  return plaza.secondFactor.createPasskey({ name, credential })
}

export async function signInWithPasskey() {
  const { options } = await plaza.sessions.getPasskeyLoginOptions()
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const credential = await startAuthentication({
    optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON,
  })
  return plaza.signInWithPasskey({ credential })
}

/** True for errors of the browser's passkey dialog, for example because the user closed the dialog. */
export function isDismissed(error: unknown): boolean {
  return error instanceof DOMException || (error instanceof Error && error.name === 'WebAuthnError')
}
