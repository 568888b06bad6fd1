import { Volume1, Volume2, VolumeX } from 'lucide-react'
import { useFormats } from '../../language/formats.ts'
import { useTexts } from '../../language/texts.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { keepSettings } from './settings.ts'
import type { Playing } from './playing.ts'
import { texts } from './texts.ts'
import styles from './Volume.module.css'

interface Props {
  media: HTMLMediaElement | null
  playing: Playing
}

export function setMuted(media: HTMLMediaElement, isMuted: boolean): void {
  media.muted = isMuted
  keepSettings({ isMuted })
}

/** Volume control. Phones have volume keys, so there it is only a mute button. */
export function Volume({ media, playing: { volume, isMuted } }: Props) {
  const t = useTexts(texts)
  const formats = useFormats()
  const heard = isMuted ? 0 : volume
  const set = (wanted: number) => {
    if (!media) return
    media.volume = wanted
    media.muted = wanted === 0
    keepSettings({ volume: wanted, isMuted: wanted === 0 })
  }
  const Icon = heard === 0 ? VolumeX : heard < 0.5 ? Volume1 : Volume2
  return (
    <span className={styles.volume}>
      <IconButton
        icon={<Icon aria-hidden="true" />}
        label={heard === 0 ? t.unmute : t.mute}
        onClick={() => {
          if (!media) return
          if (heard === 0 && volume === 0) set(0.5)
          else setMuted(media, !isMuted)
        }}
      />
      <input
        type="range"
        className={styles.slider}
        min={0}
        max={1}
        step={0.05}
        value={heard}
        data-own-keys
        aria-label={t.volume}
        aria-valuetext={formats.percent(heard)}
        onChange={({ target }) => set(Number(target.value))}
      />
    </span>
  )
}
