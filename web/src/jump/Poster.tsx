import { Play } from 'lucide-react'
import type { ContentDetail } from '#sdk'
import { Overlay } from '../contents/Overlay.tsx'
import { useTexts } from '../language/texts.ts'
import { Button, Spinner } from '../ui/Button.tsx'
import styles from './Player.module.css'
import { type Obstacle, runtimeName } from './runtime.ts'
import { texts } from './texts.ts'

interface Props {
  content: ContentDetail
  obstacle: Obstacle | undefined
  isStarting: boolean
  onPlay: () => void
}

/** Picture of a game with a Play button, or with the reason why it cannot be played. */
export function Poster({ content, obstacle, isStarting, onPlay }: Props) {
  const t = useTexts(texts)
  const { title, thumbnail_url, game } = content
  return (
    <>
      {thumbnail_url && <img className={styles.poster} src={thumbnail_url} alt="" />}
      {obstacle ? (
        <Overlay hides>
          <p className={styles.strong}>{t[obstacle]}</p>
          <p>{t[`${obstacle}Help`]}</p>
        </Overlay>
      ) : (
        <Overlay>
          <Button
            look="primary"
            className={styles.play ?? ''}
            icon={isStarting ? <Spinner /> : <Play aria-hidden="true" />}
            aria-label={t.playGame(title)}
            aria-busy={isStarting || undefined}
            onClick={() => !isStarting && onPlay()}
          >
            {t.play}
          </Button>
          <span className={styles.runtime}>{runtimeName(game?.runtime)}</span>
        </Overlay>
      )}
    </>
  )
}
