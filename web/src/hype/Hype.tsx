import { getRouteApi } from '@tanstack/react-router'
import { Sparkles } from 'lucide-react'
import {
  Grid,
  GridSkeleton,
  NewContents,
  NothingFollowed,
  SortTabs,
  useContentList,
  useOrder,
} from '../contents/Feed.tsx'
import { Lead, LeadSkeleton } from '../contents/Lead.tsx'
import { feedQuery } from '../contents/queries.ts'
import { defineTexts, useTexts } from '../language/texts.ts'
import { Entries } from '../lists/Entries.tsx'
import { Empty } from '../ui/Problem.tsx'
import { Page } from '../ui/Page.tsx'

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

const texts = defineTexts({
  title: ['하이프', 'Hype'],
  lead: ['길이도 형식도 자유로운 작품들이 모이는 곳이에요.', 'Works of any length and kind.'],
  first: {
    latest: ['가장 새로운 작품', 'Newest'],
    popular: ['지금 가장 인기 있는 작품', 'Most popular now'],
    following: ['팔로우한 사람의 새 작품', 'New from people you follow'],
  },
  rest: ['더 많은 작품', 'More works'],
  nothing: ['아직 하이프 작품이 없어요', 'Nothing in Hype yet'],
  nothingHelp: [
    '영상, 이미지, 오디오, 글 무엇이든 첫 작품이 될 수 있어요.',
    'Be the first to publish a video, image, audio or article.',
  ],
  publishFirst: ['첫 하이프 올리기', 'Publish the first one'],
})
