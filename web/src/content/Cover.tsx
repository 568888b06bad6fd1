import { Play } from 'lucide-react'
import type { Content, Media } from '#sdk'
import styles from '../contents/player/Player.module.css'
import { texts } from '../contents/player/texts.ts'
import { useTexts } from '../language/texts.ts'
import { thumbnailSources } from '../ui/sources.ts'

interface Props {
  content: Content
  medium: Media
  /** Called when the viewer touches or focuses the cover, because a click on it may follow. */
  hold: () => void
  play: () => void
}

/** Stand-in for a video's player. It looks like the player before playback starts. */
export function Cover({ content, medium: { width, height }, hold, play }: Props) {
  const t = useTexts(texts)
  const aspectRatio = width && height ? `${width} / ${height}` : '16 / 9'
  return (
    <section
      className={styles.player}
      style={{ aspectRatio }}
      aria-label={t.player(content.title)}
      onPointerDown={hold}
      onFocus={hold}
      onClick={play}
    >
      <img
        className={styles.media}
        fetchPriority="high"
        srcSet={thumbnailSources(content)}
        sizes="min(100vw, 60rem)"
        src={content.thumbnail_url ?? undefined}
        alt=""
      />
      <button type="button" className={styles.start} data-rest aria-label={t.play}>
        <Play />
      </button>
    </section>
  )
}
