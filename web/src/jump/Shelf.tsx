import { Play } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import type { Content } from '#sdk'
import { CardText } from '../contents/Card.tsx'
import { Corner, Thumbnail } from '../contents/Thumbnail.tsx'
import { texts as contentTexts } from '../contents/texts.ts'
import { useLangOf } from '../language/look.ts'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { Skeleton } from '../ui/Loading.tsx'
import { Problem } from '../ui/Problem.tsx'
import { UserLink } from '../ui/User.tsx'
import { texts as uiTexts } from '../ui/texts.ts'
import styles from './Shelf.module.css'
import { runtimeName } from './runtime.ts'
import { texts } from './texts.ts'

/** `led`: up to six games, the first one large. `row`: one row of up to four games. */
type Look = 'led' | 'row'

interface Props {
  title: string
  games: readonly Content[]
  look?: Look
  children?: ReactNode
}

export function Shelf({ title, games, look, children }: Props) {
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
export function PendingShelf({ title, look, query: { error, refetch }, count }: PendingProps) {
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
