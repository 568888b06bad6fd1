import type { LinkProps } from '@tanstack/react-router'
import { useTexts } from '../language/texts.ts'
import { useIsSignedIn } from '../session/viewer.ts'
import { Tab, Tabs } from '../ui/Tabs.tsx'
import type { Order } from './queries.ts'
import { texts } from './texts.ts'

/**
 * Returns the sort order from the address. `following` falls back to `latest` when the viewer is signed out.
 */
export function useOrder(sort: Order | undefined): Order {
  const isSignedIn = useIsSignedIn()
  return sort === undefined || (sort === 'following' && !isSignedIn) ? 'latest' : sort
}

/** Tabs that set the sort order in the address. `hasFollowing` adds the followed creators' tab. */
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
