import { getRouteApi, Link, useLocation, useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useOrder } from '../contents/Feed.tsx'
import { texts as contentTexts } from '../contents/texts.ts'
import { useTexts } from '../language/texts.ts'
import { useIsSignedIn } from '../session/viewer.ts'
import { Page } from '../ui/Page.tsx'
import { Feed } from './Feed.tsx'
import styles from './Swipe.module.css'
import { texts } from './texts.ts'

const route = getRouteApi('/swipe')

export function Swipe() {
  const t = useTexts(texts)
  const words = useTexts(contentTexts)
  const isSignedIn = useIsSignedIn()
  const { sort } = route.useSearch()
  const order = useOrder(sort)
  const { hash, visit, reflect } = useVisit()
  return (
    <Page title={t.title} width="full" hidesTitle>
      <div className={styles.swipe} data-fills data-immersive>
        <Orders label={words.sort} isSignedIn={isSignedIn} />
        <Feed key={`${order}.${visit}`} sort={order} wanted={hash || undefined} onShow={reflect} />
      </div>
    </Page>
  )
}

/** Updates the URL to match the visible slide. Restarts the feed when the URL changes for another reason. */
function useVisit() {
  const { hash, pathname } = useLocation()
  const navigate = useNavigate()
  // Ignores the location of the next page, which the router already reports during navigation.
  const isHere = pathname === '/swipe'
  const here = useRef(isHere)
  const told = useRef(hash)
  const [visit, setVisit] = useState(0)
  useEffect(() => {
    here.current = isHere
    if (!isHere || hash === told.current) return
    told.current = hash
    setVisit((count) => count + 1)
  }, [hash, isHere])
  const reflect = useCallback(
    (id: string) => {
      if (told.current === id || !here.current) return
      told.current = id
      void navigate({
        to: '/swipe',
        search: true,
        hash: id,
        replace: true,
        resetScroll: false,
        hashScrollIntoView: false,
      })
    },
    [navigate],
  )
  return { hash, visit, reflect }
}

function Orders({ label, isSignedIn }: { label: string; isSignedIn: boolean }) {
  const t = useTexts(contentTexts)
  const sorts = [undefined, 'popular', ...(isSignedIn ? (['following'] as const) : [])] as const
  return (
    <nav className={styles.orders} aria-label={label}>
      {sorts.map((sort) => (
        <Link
          key={sort ?? 'latest'}
          to="/swipe"
          search={{ sort }}
          className={styles.order}
          activeOptions={{ exact: true, includeSearch: true }}
        >
          {t[sort ?? 'latest']}
        </Link>
      ))}
    </nav>
  )
}
