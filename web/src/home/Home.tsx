import { getRouteApi, Navigate } from '@tanstack/react-router'
import {
  NewContents,
  NothingFollowed,
  SortTabs,
  useContentList,
  useOrder,
} from '../contents/Feed.tsx'
import { GridSkeleton, InfiniteGrid } from '../contents/Grid.tsx'
import { feedQuery } from '../contents/queries.ts'
import { texts as contentTexts } from '../contents/texts.ts'
import { defineTexts, useTexts } from '../language/texts.ts'
import { useSite } from '../session/site.ts'
import { Empty } from '../ui/Empty.tsx'
import { Page } from '../ui/Page.tsx'
import styles from './Home.module.css'
import { Picks, usePicks } from './Picks.tsx'
import { HomeRows, useRows } from './Rows.tsx'

const texts = defineTexts({
  ko: {
    title: '홈',
    discover: '둘러보기',
    picks: '추천 작품',
    nothingHelp: '첫 작품을 올려 보세요.',
    publishFirst: '첫 작품 올리기',
  },
  en: {
    title: 'Home',
    discover: 'Discover',
    picks: 'Picks',
    nothingHelp: 'Be the first to publish something.',
    publishFirst: 'Publish the first work',
  },
})

const route = getRouteApi('/')

export function Home() {
  const t = useTexts(texts)
  const words = useTexts(contentTexts)
  const { sort } = route.useSearch()
  const order = useOrder(sort)
  const query = useContentList(feedQuery('all', { sort: order }))
  const picks = usePicks()
  const isDiscovery = order === 'latest'
  const rows = useRows(isDiscovery)
  if (useSite()?.setup_required) return <Navigate to="/setup" replace />
  return (
    <Page title={t.title} hidesTitle>
      <SortTabs to="/" first={t.discover} hasFollowing />
      <NewContents target="all" sort={order} />
      {isDiscovery && picks.data && picks.data.length > 0 && (
        <Picks title={t.picks} picks={picks.data} />
      )}
      {isDiscovery && !picks.isPending && rows.data && <HomeRows {...rows.data} />}
      <h2 className={isDiscovery && rows.data?.popular.length ? styles.latest : 'unseen'}>
        {words[order]}
      </h2>
      {/* Waits for what appears above the list and would move it. */}
      {isDiscovery && (picks.isPending || rows.isPending) ? (
        <GridSkeleton />
      ) : (
        <InfiniteGrid
          query={query}
          empty={
            order === 'following' ? (
              <NothingFollowed to="/" />
            ) : (
              <Empty
                title={words.nothing}
                level={3}
                action={t.publishFirst}
                link={{ to: '/publish' }}
              >
                {t.nothingHelp}
              </Empty>
            )
          }
        />
      )}
    </Page>
  )
}
