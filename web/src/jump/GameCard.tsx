import { Link } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import type { Content } from '#sdk'
import { CardText } from '../contents/CardText.tsx'
import { Corner } from '../contents/Corner.tsx'
import { texts as contentTexts } from '../contents/texts.ts'
import { Thumbnail } from '../contents/Thumbnail.tsx'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import styles from './GameCard.module.css'
import { runtimeName } from './runtime.ts'
import { texts } from './texts.ts'

interface Props {
  game: Content
  /** True for the first game of a shelf: the card is larger and includes the description. */
  isLead?: boolean
}

/** Card of a game: poster, runtime and number of plays. */
export function GameCard({ game, isLead = false }: Props) {
  const t = useTexts(texts)
  const words = useTexts(contentTexts)
  const formats = useFormats()
  const { creator, description, play_count } = game
  const runtime = runtimeName(game.game?.runtime)
  return (
    <article className={isLead ? `${styles.card} ${styles.lead}` : styles.card}>
      <Thumbnail
        content={game}
        isFirst={isLead}
        shape={isLead ? 'filling' : 'game'}
        corner={<Corner side="start">{runtime ?? t.notPlayable}</Corner>}
      />
      <CardText content={game}>
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
      </CardText>
    </article>
  )
}
