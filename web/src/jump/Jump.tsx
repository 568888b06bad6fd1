import { useQuery } from '@tanstack/react-query'
import { Gamepad2 } from 'lucide-react'
import type { Content } from '#sdk'
import { useContentList } from '../contents/Feed.tsx'
import { feedQuery } from '../contents/queries.ts'
import { useTexts } from '../language/texts.ts'
import { entriesOf } from '../lists/paging.ts'
import { Empty } from '../ui/Problem.tsx'
import { More } from '../lists/Entries.tsx'
import { Page } from '../ui/Page.tsx'
import { PendingShelf, Shelf } from './Shelf.tsx'
import { shelvesQuery } from './queries.ts'
import { texts } from './texts.ts'

const POPULAR = 6
const RELATED = 4

export function Jump() {
  const t = useTexts(texts)
  return (
    <Page title={t.title} lead={t.lead}>
      <Shelves />
      <Newest />
    </Page>
  )
}

function Shelves() {
  const t = useTexts(texts)
  const query = useQuery(shelvesQuery)
  if (!query.data) {
    return <PendingShelf title={t.popular} query={query} count={POPULAR} look="led" />
  }
  const { last, related, popular } = query.data
  if (popular.length === 0) return null
  return (
    <>
      <Shelf title={t.popular} games={playableFirst(popular).slice(0, POPULAR)} look="led" />
      {last && related.length > 0 && (
        <Shelf
          title={t.related(last.title)}
          games={playableFirst(related).slice(0, RELATED)}
          look="row"
        />
      )}
    </>
  )
}

function playableFirst(games: readonly Content[]): Content[] {
  const isPlayable = ({ game }: Content) => game?.runtime != null
  return [...games.filter(isPlayable), ...games.filter((game) => !isPlayable(game))]
}

function Newest() {
  const t = useTexts(texts)
  const query = useContentList(feedQuery('jump'))
  if (!query.data) return <PendingShelf title={t.newest} query={query} count={8} />
  const games = entriesOf(query.data.pages, ({ feeds }) => feeds)
  if (games.length === 0 && !query.hasNextPage) {
    return (
      <Empty icon={<Gamepad2 />} title={t.nothing} action={t.publishGame} link={{ to: '/publish' }}>
        {t.nothingHelp}
      </Empty>
    )
  }
  return (
    <Shelf title={t.newest} games={games}>
      <More query={query} />
    </Shelf>
  )
}
