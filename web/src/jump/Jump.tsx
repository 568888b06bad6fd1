import { useQuery } from '@tanstack/react-query'
import { Gamepad2, Play } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import type { Content } from '#sdk'
import { CardText, Corner, Thumbnail } from '../contents/Card.tsx'
import { useContentList } from '../contents/Feed.tsx'
import { feedQuery } from '../contents/queries.ts'
import { texts as contentTexts } from '../contents/texts.ts'
import { useFormats } from '../language/formats.ts'
import { useLangOf } from '../language/look.ts'
import { useTexts } from '../language/texts.ts'
import { More } from '../lists/Entries.tsx'
import { entriesOf } from '../lists/paging.ts'
import { Skeleton } from '../ui/Loading.tsx'
import { Page } from '../ui/Page.tsx'
import { Empty, Problem } from '../ui/Problem.tsx'
import { UserLink } from '../ui/User.tsx'
import { texts as uiTexts } from '../ui/texts.ts'
import styles from './Jump.module.css'
import { runtimeName, shelvesQuery } from './queries.ts'
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

/** `led`: up to six games, the first one large. `row`: one row of up to four games. */
type Look = 'led' | 'row'

interface Props {
  title: string
  games: readonly Content[]
  look?: Look
  children?: ReactNode
}

function Shelf({ title, games, look, children }: Props) {
  const id = useId()
  return (
    <section className={styles.shelf} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul className={classOf(look)}>
        {games.map((game, index) => (
          <li key={game.id}>
            <GameCard game={game} isLead={look === 'led' && index === 0} />
          </li>
        ))}
      </ul>
      {children}
    </section>
  )
}

function classOf(look: Look | undefined): string {
  return look ? `${styles.games} ${styles[look]}` : (styles.games ?? '')
}

interface PendingProps extends Pick<Props, 'title' | 'look'> {
  query: { error: unknown; refetch: () => unknown }
  /** Number of games that the place has room for. */
  count: number
}

/** Shelf whose games are loading or have failed to load. */
function PendingShelf({ title, look, query: { error, refetch }, count }: PendingProps) {
  const t = useTexts(uiTexts)
  if (error) {
    return (
      <section className={styles.shelf}>
        <h2>{title}</h2>
        <Problem error={error} retry={() => void refetch()} />
      </section>
    )
  }
  return (
    <section className={styles.shelf} aria-label={title} aria-busy="true">
      <h2>{title}</h2>
      <p role="status" className="unseen">
        {t.loading}
      </p>
      <ul className={classOf(look)} aria-hidden="true">
        {Array.from({ length: count }, (_, index) => (
          <li key={index} className={styles.bones}>
            <Skeleton ratio="16 / 10" />
            <Skeleton width="80%" height="20px" />
            <Skeleton width="50%" height="16px" />
          </li>
        ))}
      </ul>
    </section>
  )
}

function GameCard({ game, isLead }: { game: Content; isLead: boolean }) {
  const t = useTexts(texts)
  const words = useTexts(contentTexts)
  const formats = useFormats()
  const { creator, description, play_count } = game
  const runtime = runtimeName(game.game?.runtime)
  const lang = useLangOf(description ?? '')
  return (
    <article className={isLead ? `${styles.card} ${styles.lead}` : styles.card}>
      <Thumbnail
        content={game}
        isFirst={isLead}
        shape={isLead ? 'filling' : 'game'}
        width={isLead ? '(max-width: 64rem) 100vw, 42rem' : undefined}
        corner={<Corner side="start">{runtime ?? t.notPlayable}</Corner>}
      />
      <CardText content={game}>
        {isLead && description && (
          <p className={styles.description} lang={lang}>
            {description}
          </p>
        )}
        <p className={styles.facts}>
          <UserLink handle={creator.handle} className={styles.creator}>
            {creator.display_name}
          </UserLink>
          <span className={styles.plays}>{words.plays(formats.count(play_count))}</span>
        </p>
        {isLead && runtime && (
          <span className={styles.start} aria-hidden="true">
            <Play />
            {t.play}
          </span>
        )}
      </CardText>
    </article>
  )
}
