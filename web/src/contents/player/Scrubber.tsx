import { type PointerEvent, useState } from 'react'
import { useFormats } from '../../language/formats.ts'
import { useTexts } from '../../language/texts.ts'
import { type Playing, seekTo } from './playing.ts'
import styles from './Scrubber.module.css'
import { texts } from './texts.ts'

/**
 * Half the width of the knob. The input extends beyond the line by this on each side, so that the knob
 * reaches both ends.
 */
const EDGE_PX = 8

interface Props {
  media: HTMLMediaElement | null
  playing: Playing
}

/** Seek bar with the played and buffered parts. */
export function Scrubber({ media, playing: { time, duration, bufferedTo } }: Props) {
  const t = useTexts(texts)
  const formats = useFormats()
  const [pointed, setPointed] = useState<number>()
  const clock = (seconds: number) => formats.duration(Math.floor(seconds) * 1000)
  const share = (seconds: number) => (duration > 0 ? Math.min(seconds / duration, 1) : 0)
  const point = ({ currentTarget, clientX, pointerType }: PointerEvent<HTMLInputElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const at = Math.min(Math.max((clientX - left - EDGE_PX) / (width - 2 * EDGE_PX), 0), 1)
    setPointed(pointerType === 'mouse' ? at : undefined)
  }
  return (
    <div className={styles.scrubber}>
      <div className={styles.line}>
        <span style={{ transform: `scaleX(${share(bufferedTo)})` }} className={styles.buffered} />
        <span style={{ transform: `scaleX(${share(time)})` }} className={styles.played} />
      </div>
      <input
        type="range"
        className={styles.input}
        min={0}
        max={duration || 1}
        step="any"
        value={Math.min(time, duration || 1)}
        disabled={duration === 0}
        aria-label={t.seek}
        aria-valuetext={t.position(clock(time), clock(duration))}
        onChange={({ target }) => media && seekTo(media, Number(target.value))}
        onPointerMove={point}
        onPointerLeave={() => setPointed(undefined)}
      />
      {pointed !== undefined && duration > 0 && (
        <span className={styles.pointed} style={{ left: `${pointed * 100}%` }} aria-hidden="true">
          {clock(pointed * duration)}
        </span>
      )}
    </div>
  )
}
