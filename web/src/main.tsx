import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { options } from 'preact'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './query.ts'
import { router } from './routes.tsx'
import { hasInlined, plaza } from './session/plaza.ts'
import { watchSession } from './session/viewer.ts'
import './styles/base.css'

const SESSION_WAIT_MS = 2000
const PAGE_WAIT_MS = 400
const FRAME_WAIT_MS = 100
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
runEffectsEarly()
registerWorker()
watchSession(queryClient)
plaza.onSession((session) => {
  // Reruns the route guards, so that pages that require an account redirect to the sign-in page.
  if (!session) void router.invalidate()
})
void start(root)

/** Waits until the browser has drawn the opening with the pictures that have loaded. */
async function drawOpening(place: HTMLElement): Promise<void> {
  const pictures = [...place.querySelectorAll('img')].filter(({ complete }) => complete)
  await Promise.allSettled(pictures.map((picture) => picture.decode()))
  await new Promise(requestAnimationFrame)
  // The second callback comes after the first frame, which browsers may hold back on a new page.
  await new Promise(requestAnimationFrame)
}

/**
 * Renders the client. Must not be awaited at the top level: the modules of pages import this module, so they would load
 * only after the wait.
 */
async function start(place: HTMLElement): Promise<void> {
  // Waits for the session, so that the first render shows the viewer. The timeout covers a server that does not respond.
  await Promise.race([plaza.ready, sleep(SESSION_WAIT_MS)])
  // A page with its first data also waits for its code, so that it replaces the server's opening without a skeleton.
  if (hasInlined() && !plaza.session) await Promise.race([router.load(), sleep(PAGE_WAIT_MS)])
  // Lets the browser draw the opening first. A hidden page draws no frames.
  await Promise.race([drawOpening(place), sleep(FRAME_WAIT_MS)])
  await sleep(0)
  place.replaceChildren()
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
  // Style sheet of the Korean font. Only devices without another Korean font load files of this font.
  void import('../fonts/pretendard.css').catch(() => {})
}

/**
 * Makes Preact run effects right after the render instead of after the next frame. docs/decisions/029-preact.md gives
 * the reasons.
 */
function runEffectsEarly(): void {
  options.requestAnimationFrame = (run) => queueMicrotask(run)
}

const WORKER = '/worker.js'

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: () => string },
  ): { createScriptURL(input: string): string }
}

/**
 * Registers the service worker once the page has loaded. Ignores failures, because the client works without the worker.
 */
function registerWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const register = () => {
    // The content security policy permits only the Trusted Types policy `worker`.
    const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
    const policy = trustedTypes?.createPolicy('worker', { createScriptURL: () => WORKER })
    const url = policy ? policy.createScriptURL('') : WORKER
    navigator.serviceWorker.register(url, { updateViaCache: 'none' }).catch(() => {})
  }
  if (document.readyState === 'complete') register()
  else addEventListener('load', register, { once: true })
}
