import { getRouteApi } from '@tanstack/react-router'
import { Sparkles } from 'lucide-react'
import { Grid, GridSkeleton } from '../contents/Grid.tsx'
import { NewContents } from '../contents/NewContents.tsx'
import { NothingFollowed } from '../contents/NothingFollowed.tsx'
import { feedQuery, type Order } from '../contents/queries.ts'
import { SortTabs, useOrder } from '../contents/SortTabs.tsx'
import { useContentList } from '../contents/useWorkList.ts'
import { useTexts } from '../language/texts.ts'
import { Entries } from '../lists/Entries.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Page } from '../ui/Page.tsx'
import styles from './Hype.module.css'
import { Lead, LeadSkeleton } from './Lead.tsx'
import { texts } from './texts.ts'

const route = getRouteApi('/hype')

/** Hype page: the first item is large, and the others are in a grid. */
export function Hype() {
  const t = useTexts(texts)
  const { sort } = route.useSearch()
  const order = useOrder(sort)
  return (
    <Page title={t.title} lead={t.lead}>
      <SortTabs to="/hype" hasFollowing />
      <NewContents target="hype" sort={order} />
      <Contents order={order} />
    </Page>
  )
}

function Contents({ order }: { order: Order }) {
  const t = useTexts(texts)
  const query = useContentList(feedQuery('hype', { sort: order }))
  return (
    <Entries
      query={query}
      target={({ feeds }) => feeds}
      skeleton={
        <>
          <LeadSkeleton />
          <GridSkeleton count={8} />
        </>
      }
      empty={<Nothing order={order} />}
    >
      {([first, ...others]) => (
        <>
          {first && <Lead content={first} label={t.first[order]} />}
          {others.length > 0 && <h2 className={styles.rest}>{t.rest}</h2>}
          <Grid contents={others} />
        </>
      )}
    </Entries>
  )
}

function Nothing({ order }: { order: Order }) {
  const t = useTexts(texts)
  if (order === 'following') return <NothingFollowed to="/hype" />
  return (
    <Empty
      icon={<Sparkles aria-hidden="true" />}
      title={t.nothing}
      action={t.publishFirst}
      link={{ to: '/publish' }}
    >
      {t.nothingHelp}
    </Empty>
  )
}
