import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTexts } from '../language/texts.ts'
import { useIsSignedIn, viewerQuery } from '../session/viewer.ts'
import { NotFound } from '../shell/Failed.tsx'
import { Page } from '../ui/Page.tsx'
import { Problem } from '../ui/Problem.tsx'
import { texts } from './texts.ts'

export function OnlyAdmins({ children }: { children: ReactNode }) {
  const t = useTexts(texts)
  const isSignedIn = useIsSignedIn()
  const { data: viewer, error, refetch } = useQuery({ ...viewerQuery, enabled: isSignedIn })
  if (isSignedIn && !viewer) {
    if (!error) return null
    return (
      <Page title={t.admin}>
        <Problem error={error} retry={() => void refetch()} />
      </Page>
    )
  }
  return isSignedIn && viewer?.role === 'admin' ? children : <NotFound />
}
