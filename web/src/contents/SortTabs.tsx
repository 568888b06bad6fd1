import type { LinkProps } from '@tanstack/react-router'
import { useTexts } from '../language/texts.ts'
import { useIsSignedIn } from '../session/viewer.ts'
import { Tab, Tabs } from '../ui/Tabs.tsx'
import type { Order } from './queries.ts'
import { texts } from './texts.ts'

/** Returns the sort order from the query string. For signed-out viewers, `following` becomes `latest`. */
export function useOrder(sort: Order | undefined): Order {
  const isSignedIn = useIsSignedIn()
  return sort === undefined || (sort === 'following' && !isSignedIn) ? 'latest' : sort
}

/** Tabs that change the sort order in the query string. `hasFollowing` adds a tab for signed-in viewers. */
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
