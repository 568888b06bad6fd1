/** Pages in place of a page that failed, is missing or is still loading. */
import { useRouterState } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { useEffect, useState } from 'react'
import { PlazaError } from '#sdk'
import { isServerThere, PartLost, tryNow, useIsConnected } from '../device/connected.ts'
import { keep, load } from '../device/storage.ts'
import { useTexts } from '../language/texts.ts'
import { isMissing } from '../session/plaza.ts'
import { Button, LinkButton } from '../ui/Button.tsx'
import { Loading, Skeleton } from '../ui/Loading.tsx'
import { Page } from '../ui/Page.tsx'
import { Empty, Problem, RequestId } from '../ui/Problem.tsx'
import { OWN_PLACES, PUBLIC_PLACES } from './Navigation.tsx'
import { SearchField } from './SearchField.tsx'
import styles from './Shell.module.css'
import { texts } from './texts.ts'

export function Failed({ error, reset }: { error: unknown; reset?: () => void }) {
  const t = useTexts(texts)
  if (isMissing(error)) return <NotFound error={error} />
  if (error instanceof PartLost) return <Unloaded error={error} />
  return (
    <Page title={t.broken} width="reading">
      <Problem error={error} retry={reset} />
    </Page>
  )
}

/** Storage key of the client version that has already reloaded the page in this tab. */
const RENEWED = 'plaza.renewed'

/**
 * Error page for client files that failed to load. Reloads the page once if the server responds, because the server may
 * have a newer client.
 */
function Unloaded({ error }: { error: Error }) {
  const t = useTexts(texts)
  const [problem, setProblem] = useState<{ error: Error; tries: number }>()
  useEffect(() => {
    let isOver = false
    void isServerThere().then((exists) => {
      if (isOver || (exists && renewOnce())) return
      setProblem({ error: exists ? error : unanswered(), tries: 0 })
    })
    return () => {
      isOver = true
    }
  }, [error])
  if (!problem) return null
  const retry = async () => {
    if (await isServerThere()) location.reload()
    // Changes the key of the error message, so that screen readers announce the message again.
    else setProblem({ error: unanswered(), tries: problem.tries + 1 })
  }
  return (
    <Page title={t.broken} width="reading">
      <Problem key={problem.tries} error={problem.error} retry={() => void retry()} />
    </Page>
  )
}

/**
 * Reloads the page once per client version and tab. Returns false if this version has already reloaded the page, or if
 * browser storage cannot record the reload.
 */
function renewOnce(): boolean {
  const client = import.meta.url
  if (load(RENEWED, 'sessionStorage') === client) return false
  keep(RENEWED, client, 'sessionStorage')
  if (load(RENEWED, 'sessionStorage') !== client) return false
  location.reload()
  return true
}

function unanswered(): Error {
  return new PlazaError('NETWORK', 'The files of a page could not be loaded.')
}

/** Page for an unknown path or a missing object. `error` is the API's error, if there is one. */
export function NotFound({ error }: { error?: unknown }) {
  const t = useTexts(texts)
  return (
    <Page title={t.notFound} hasOwnHeading width="reading">
      <Empty
        icon={<Compass />}
        title={t.notFound}
        level={1}
        action={
          <div className={styles.ways}>
            <SearchField />
            <LinkButton look="primary" to="/">
              {t.goHome}
            </LinkButton>
          </div>
        }
      >
        {t.notFoundHelp}
      </Empty>
      {error instanceof PlazaError && error.requestId && (
        <details className={styles.details}>
          <summary>{t.details}</summary>
          <RequestId error={error} />
        </details>
      )}
    </Page>
  )
}

export function Pending() {
  const t = useTexts(texts)
  const isConnected = useIsConnected()
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const place = [...PUBLIC_PLACES, ...OWN_PLACES].find(({ to }) => to === pathname)
  const title = place ? t[place.name] : isConnected ? t.opening : t.offlinePage
  if (isConnected) {
    return (
      <Page title={title} hidesTitle={!place}>
        <Loading>
          <Skeleton height="50dvh" />
        </Loading>
      </Page>
    )
  }
  return (
    <Page title={title} hasOwnHeading={!place} width="reading">
      <Empty
        title={t.offlinePage}
        level={place ? 2 : 1}
        action={<Button onClick={tryNow}>{t.tryAgain}</Button>}
      >
        {t.offlinePageHelp}
      </Empty>
    </Page>
  )
}
