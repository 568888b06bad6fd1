import type { LinkProps } from '@tanstack/react-router'
import { useTexts } from '../language/texts.ts'
import { useIsSignedIn } from '../session/viewer.ts'
import { Tab, Tabs } from '../ui/Tabs.tsx'
import type { Order } from './queries.ts'
import { texts } from './texts.ts'

/** The order that the address asks for; what one follows is for who is signed in. */
export function useOrder(sort: Order | undefined): Order {
  const isSignedIn = useIsSignedIn()
  return sort === undefined || (sort === 'following' && !isSignedIn) ? 'latest' : sort
}

/** The orders of a list of works that has them in its address; `hasFollowing` where it may be that too. */
export function SortTabs({
  hasFollowing = false,
  ...list
}: Pick<LinkProps, 'to' | 'params'> & { hasFollowing?: boolean }) {
  const t = useTexts(texts)
  const isSignedIn = useIsSignedIn()
  return (
    <Tabs label={t.sort}>
      <Tab {...list} search={{ sort: undefined }}>
        {t.latest}
      </Tab>
      <Tab {...list} search={{ sort: 'popular' }}>
        {t.popular}
      </Tab>
      {hasFollowing && isSignedIn && (
        <Tab {...list} search={{ sort: 'following' }}>
          {t.following}
        </Tab>
      )}
    </Tabs>
  )
}
