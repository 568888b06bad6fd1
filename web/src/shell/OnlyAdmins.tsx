import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTexts } from '../language/texts.ts'
import { may, type Permission, useIsSignedIn, viewerQuery } from '../session/viewer.ts'
import { Page } from '../ui/Page.tsx'
import { Problem } from '../ui/Problem.tsx'
import { NotFound } from './Failed.tsx'
import { texts } from './texts.ts'

interface Props {
  /** Permission that also admits users who are not administrators. */
  permission?: Permission
  children: ReactNode
}

export function OnlyAdmins({ permission, children }: Props) {
  const t = useTexts(texts)
  const isSignedIn = useIsSignedIn()
  const { data: viewer, error, refetch } = useQuery({ ...viewerQuery, enabled: isSignedIn })
  if (isSignedIn && !viewer) {
    if (!error) return null
    return (
      <Page title={t.broken}>
        <Problem error={error} retry={() => void refetch()} />
      </Page>
    )
  }
  const isAdmitted = viewer?.role === 'admin' || (permission && may(viewer, permission))
  return isSignedIn && isAdmitted ? children : <NotFound />
}
