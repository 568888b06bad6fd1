const PATH = '/worker.js'

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: () => string },
  ): { createScriptURL(input: string): string }
}

/**
 * Registers the service worker once the page has loaded. Ignores failures, because the client works without the worker.
 */
export function registerWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const register = () => {
    // The content security policy permits only the Trusted Types policy `worker`.
    const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
    const policy = trustedTypes?.createPolicy('worker', { createScriptURL: () => PATH })
    const url = policy ? policy.createScriptURL('') : PATH
    navigator.serviceWorker.register(url, { updateViaCache: 'none' }).catch(() => {})
  }
  if (document.readyState === 'complete') register()
  else addEventListener('load', register, { once: true })
}
