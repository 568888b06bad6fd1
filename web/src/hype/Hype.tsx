import { getRouteApi } from '@tanstack/react-router'
import { Sparkles } from 'lucide-react'
import {
  NewContents,
  NothingFollowed,
  SortTabs,
  useContentList,
  useOrder,
} from '../contents/Feed.tsx'
import { Grid, GridSkeleton } from '../contents/Grid.tsx'
import { Lead, LeadSkeleton } from '../contents/Lead.tsx'
import { feedQuery } from '../contents/queries.ts'
import { useTexts } from '../language/texts.ts'
import { Entries } from '../lists/Entries.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Page } from '../ui/Page.tsx'
import { texts } from './texts.ts'

const route = getRouteApi('/hype')

export function Hype() {
  const t = useTexts(texts)
  const order = useOrder(route.useSearch().sort)
  return (
    <Page title={t.title} lead={t.lead}>
      <SortTabs to="/hype" own={['following']} />
      <NewContents target="hype" sort={order} />
      <Contents order={order} />
    </Page>
  )
}

type Order = keyof (typeof texts)['ko']['first']

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
          {others.length > 0 && <h2 style={{ marginBottom: 'var(--two)' }}>{t.rest}</h2>}
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
    <Empty icon={<Sparkles />} title={t.nothing} action={t.publishFirst} link={{ to: '/publish' }}>
      {t.nothingHelp}
    </Empty>
  )
}
