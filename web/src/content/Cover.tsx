import { Play } from 'lucide-react'
import type { Media } from '#sdk'
import styles from '../contents/player/Player.module.css'
import { texts } from '../contents/player/texts.ts'
import { useTexts } from '../language/texts.ts'

interface Props {
  title: string
  medium: Media
  poster: string
  /** Called when the viewer touches the cover, which ends with a click, or focuses it. */
  hold: () => void
  play: () => void
}

/** Looks like a video's player before the start. */
export function Cover({ title, medium: { width, height }, poster, hold, play }: Props) {
  const t = useTexts(texts)
  const aspectRatio = width && height ? `${width} / ${height}` : '16 / 9'
  return (
    <section
      className={styles.player}
      style={{ aspectRatio }}
      aria-label={t.player(title)}
      onPointerDown={hold}
      onFocus={hold}
      onClick={play}
    >
      <img className={styles.media} src={poster} alt="" fetchPriority="high" />
      <button type="button" className={styles.start} data-rest aria-label={t.play}>
        <Play />
      </button>
    </section>
  )
}
