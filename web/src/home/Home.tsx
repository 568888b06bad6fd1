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
import { Picks, usePicks } from './Picks.tsx'

const texts = defineTexts({
  ko: {
    title: '홈',
    picks: '추천 작품',
    nothingHelp: '첫 작품을 올려 보세요.',
    publishFirst: '첫 작품 올리기',
  },
  en: {
    title: 'Home',
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
  const showsPicks = order === 'latest'
  if (useSite()?.setup_required) return <Navigate to="/setup" replace />
  return (
    <Page title={t.title} hidesTitle>
      <SortTabs to="/" hasFollowing />
      <NewContents target="all" sort={order} />
      {showsPicks && picks.data && picks.data.length > 0 && (
        <Picks title={t.picks} picks={picks.data} />
      )}
      <h2 className="unseen">{words[order]}</h2>
      {/* Waits for the picks, which appear above the list and would move it. */}
      {showsPicks && picks.isPending ? (
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
