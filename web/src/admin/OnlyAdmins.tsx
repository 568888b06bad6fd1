import type { ReactNode } from 'react'
import { useViewer } from '../session/viewer.ts'
import { NotFound } from '../shell/NotFound.tsx'

/** Others find nothing here; nothing at all is shown until it is known who it is. */
export function OnlyAdmins({ children }: { children: ReactNode }) {
  const viewer = useViewer()
  if (viewer === undefined) return null
  return viewer?.role === 'admin' ? children : <NotFound />
}
