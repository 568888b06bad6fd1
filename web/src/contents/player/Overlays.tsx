/** Overlays of the player: start button, spinner, error and resume notice. */
import { Play } from 'lucide-react'
import { useFormats } from '../../language/formats.ts'
import { useTexts } from '../../language/texts.ts'
import { Button, Spinner } from '../../ui/Button.tsx'
import styles from './Player.module.css'
import { type Playing, seekTo } from './playing.ts'
import { texts } from './texts.ts'

export function Start({ isReady, onStart }: { isReady: boolean; onStart: () => void }) {
  const t = useTexts(texts)
  return (
    <button
      type="button"
      className={styles.start}
      aria-label={t.play}
      disabled={!isReady}
      onClick={onStart}
    >
      <Play aria-hidden="true" />
    </button>
  )
}

export function Waiting({ isWaiting }: { isWaiting: boolean }) {
  const t = useTexts(texts)
  return (
    <div className={styles.state} role="status">
      {isWaiting && (
        <>
          <Spinner />
          <span className="unseen">{t.loading}</span>
        </>
      )}
    </div>
  )
}

export function Failure({ retry }: { retry: () => void }) {
  const t = useTexts(texts)
  return (
    <div className={styles.failed} role="alert">
      <p>{t.failed}</p>
      <Button size="small" onClick={retry}>
        {t.retry}
      </Button>
    </div>
  )
}

const RESUMED_SHOWN_S = 8

interface ResumedProps {
  point: number
  media: HTMLMediaElement | null
  playing: Playing
}

/** Notice in the first seconds after playback resumed, with a button to start over. */
export function Resumed({ point, media, playing: { time } }: ResumedProps) {
  const t = useTexts(texts)
  const formats = useFormats()
  if (point === 0 || time < point || time > point + RESUMED_SHOWN_S) return null
  return (
    <p className={styles.resumed}>
      {t.resumed(formats.duration(point * 1000))}
      <Button size="small" look="plain" onClick={() => media && seekTo(media, 0)}>
        {t.startOver}
      </Button>
    </p>
  )
}
