import { useRouterState } from '@tanstack/react-router'
import { tryNow, useIsConnected } from '../device/connected.ts'
import { useTexts } from '../language/texts.ts'
import { Button } from '../ui/Button.tsx'
import { Empty } from '../ui/Problem.tsx'
import { Loading, Skeleton } from '../ui/Loading.tsx'
import { Page } from '../ui/Page.tsx'
import { OWN_PLACES, PUBLIC_PLACES } from './places.ts'
import { texts } from './texts.ts'

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
