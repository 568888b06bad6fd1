import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { runEffectsEarly } from './device/rendering.ts'
import { registerWorker } from './device/worker.ts'
import { queryClient } from './query.ts'
import { router } from './routes.tsx'
import { plaza } from './session/plaza.ts'
import { watchSession } from './session/watch.ts'
import './styles/index.css'

const SESSION_WAIT_MS = 2000
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
runEffectsEarly()
registerWorker()
watchSession(queryClient)
plaza.onSession((session) => {
  // Reruns the route guards, so that pages that require an account redirect to the sign-in page.
  if (!session) void router.invalidate()
})
// Waits for the session, so that the first render shows the viewer. The timeout covers a server that does not respond.
await Promise.race([plaza.ready, new Promise((resolve) => setTimeout(resolve, SESSION_WAIT_MS))])
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
// Style sheet of the Korean font. Only devices without another Korean font load files of this font.
void import('./styles/korean.css').catch(() => {})
