import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import {
  Grid,
  GridSkeleton,
  InfiniteGrid,
  NewContents,
  NothingFollowed,
  SortTabs,
  useContentList,
  useOrder,
} from '../contents/Feed.tsx'
import { feedQuery, type Order } from '../contents/queries.ts'
import { texts as contentTexts } from '../contents/texts.ts'
import { defineTexts, useTexts } from '../language/texts.ts'
import { useSite } from '../session/site.ts'
import { Empty } from '../ui/Problem.tsx'
import { Nearby, Page } from '../ui/Page.tsx'
import styles from './Rows.module.css'
import { HomeRows, NoTagFollowed, Picks, picksQuery, Row, useRows } from './Rows.tsx'

const texts = defineTexts({
  title: ['홈', 'Home'],
  discover: ['둘러보기', 'Discover'],
  picks: ['추천 작품', 'Picks'],
  popular: ['지금 인기', 'Popular now'],
  nothingHelp: ['첫 작품을 올려 보세요.', 'Be the first to publish something.'],
  publishFirst: ['첫 작품 올리기', 'Publish the first work'],
})

const route = getRouteApi('/')

export function Home() {
  const t = useTexts(texts)
  const { sort } = route.useSearch()
  const order = useOrder(sort)
  return (
    <Page title={t.title} hidesTitle>
      <Setup />
      <SortTabs to="/" first={t.discover} own={['following', 'tags']} />
      {order === 'latest' ? <Discovery /> : <List order={order} />}
    </Page>
  )
}

/** Opens the setup of a new site. A component of its own, so that the page does not render again for the site. */
function Setup() {
  return useSite()?.setup_required ? <Navigate to="/setup" replace /> : null
}

/** Minimum number of published contents for the home page to have rows. */
const ROWS_FROM = 8
const POPULAR = 6

function Discovery() {
  const t = useTexts(texts)
  const popular = useContentList(feedQuery('all', { sort: 'popular' }))
  const first = popular.data?.pages[0]
  const hasRows = first !== undefined && first.pagination.total >= ROWS_FROM
  // The key keeps Preact from moving this skeleton to the place of the one below, which would count as a layout shift.
  if (popular.isPending) return <GridSkeleton key="popular" />
  return (
    <>
      {hasRows && (
        <Row
          title={t.popular}
          entries={first.feeds}
          link={{ to: '/', search: { sort: 'popular' } }}
        >
          <Grid contents={first.feeds.slice(0, POPULAR)} />
        </Row>
      )}
      <BelowPopular hasRows={hasRows} />
    </>
  )
}

/** Picks. Below them, rows by kind and the latest contents, which load when the user scrolls near them. */
function BelowPopular({ hasRows }: { hasRows: boolean }) {
  const t = useTexts(texts)
  const picks = useQuery(picksQuery)
  return (
    <>
      {picks.data && picks.data.length > 0 && <Picks title={t.picks} picks={picks.data} />}
      {picks.isPending ? (
        <Nearby>
          <GridSkeleton />
        </Nearby>
      ) : hasRows ? (
        <Nearby>
          <RowsAndLatest />
        </Nearby>
      ) : (
        <List order="latest" />
      )}
    </>
  )
}

/** Rows of contents by kind, and below them the latest contents. The list waits for the rows, so that it never moves. */
function RowsAndLatest() {
  const rows = useRows()
  if (rows.isPending) return <GridSkeleton />
  return (
    <>
      {rows.data && <HomeRows {...rows.data} />}
      <List order="latest" showsHeading />
    </>
  )
}

function List({ order, showsHeading = false }: { order: Order; showsHeading?: boolean }) {
  const t = useTexts(texts)
  const words = useTexts(contentTexts)
  const query = useContentList(feedQuery('all', { sort: order }))
  return (
    <>
      <NewContents target="all" sort={order} />
      <h2 className={showsHeading ? styles.latest : 'unseen'}>{words[order]}</h2>
      <InfiniteGrid
        query={query}
        empty={
          order === 'following' ? (
            <NothingFollowed to="/" />
          ) : order === 'tags' ? (
            <NoTagFollowed />
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
    </>
  )
}
