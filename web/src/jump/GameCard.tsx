import { Link } from '@tanstack/react-router'
import { Gamepad2, Play } from 'lucide-react'
import type { Content } from '#sdk'
import { texts as contentTexts } from '../contents/texts.ts'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import styles from './GameCard.module.css'
import { runtimeName } from './runtime.ts'
import { texts } from './texts.ts'

interface Props {
  game: Content
  /** Larger, with its description: the first of a shelf. */
  isLead?: boolean
}

/** A game on a shelf: its poster, what it runs in, and how often it was played. */
export function GameCard({ game, isLead }: Props) {
  const t = useTexts(texts)
  const words = useTexts(contentTexts)
  const formats = useFormats()
  const { id, title, creator, thumbnail_url, description, play_count } = game
  const runtime = runtimeName(game.game?.runtime)
  return (
    <article className={isLead ? `${styles.card} ${styles.lead}` : styles.card}>
      <div className={styles.poster}>
        {thumbnail_url ? (
          <img src={thumbnail_url} alt="" loading={isLead ? 'eager' : 'lazy'} decoding="async" />
        ) : (
          <Gamepad2 aria-hidden="true" />
        )}
        <span className={runtime ? styles.badge : `${styles.badge} ${styles.waiting}`}>
          {runtime ?? t.notPlayable}
        </span>
      </div>
      <div className={styles.lines}>
        <h3 className={styles.title}>
          <Link to="/contents/$id" params={{ id }} className={styles.link}>
            {title}
          </Link>
        </h3>
        {isLead && description && <p className={styles.description}>{description}</p>}
        <p className={styles.facts}>
          <Link
            to="/creators/$handle"
            params={{ handle: creator.handle }}
            className={styles.creator}
          >
            {creator.display_name}
          </Link>
          <span className={styles.plays}>{words.plays(formats.count(play_count))}</span>
        </p>
        {isLead && runtime && (
          <span className={styles.start} aria-hidden="true">
            <Play />
            {t.play}
          </span>
        )}
      </div>
    </article>
  )
}
