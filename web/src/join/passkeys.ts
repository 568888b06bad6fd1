/** Creation of passkeys and sign-in with them. The WebAuthn library loads on first use. */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { plaza } from '../session/plaza.ts'

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
