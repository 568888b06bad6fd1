import { type ReactNode, useId } from 'react'
import type { Content } from '#sdk'
import { Problem } from '../ui/Problem.tsx'
import { Skeleton } from '../ui/Loading.tsx'
import { GameCard } from './GameCard.tsx'
import styles from './Shelf.module.css'

/** `led`: up to six games, the first one large. `row`: one row of up to four games. */
type Look = 'led' | 'row'

interface Props {
  title: string
  games: readonly Content[]
  look?: Look
  /** Content below the games. */
  children?: ReactNode
}

/** Row or grid of games under a heading. */
export function Shelf({ title, games, look, children }: Props) {
  const id = useId()
  return (
    <section className={styles.shelf} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul className={classOf(look)}>
        {games.map((game, at) => (
          <li key={game.id}>
            <GameCard game={game} isLead={look === 'led' && at === 0} />
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

export function ShelfSkeleton({
  title,
  label,
  count,
  look,
}: {
  title: string
  label: string
  count: number
  look?: Look
}) {
  return (
    <section className={styles.shelf} aria-label={title} aria-busy="true">
      <h2>{title}</h2>
      <p role="status" className="unseen">
        {label}
      </p>
      <ul className={classOf(look)} aria-hidden="true">
        {Array.from({ length: count }, (_, at) => (
          <li key={at} className={styles.bones}>
            <Skeleton ratio="16 / 10" />
            <Skeleton width="80%" height="20px" />
            <Skeleton width="50%" height="16px" />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface FailedProps {
  title: string
  error: unknown
  retry: () => void
}

/** Shows an error under the shelf's heading, so that users see which shelf is missing. */
export function FailedShelf({ title, error, retry }: FailedProps) {
  return (
    <section className={styles.shelf}>
      <h2>{title}</h2>
      <Problem error={error} retry={retry} />
    </section>
  )
}
