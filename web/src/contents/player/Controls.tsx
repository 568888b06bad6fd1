import {
  Captions,
  FastForward,
  Keyboard,
  Maximize,
  Minimize,
  Pause,
  Play,
  Rewind,
  RotateCcw,
} from 'lucide-react'
import { useFormats } from '../../language/formats.ts'
import { useTexts } from '../../language/texts.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Choice } from './Choice.tsx'
import styles from './Controls.module.css'
import { type Playing, SKIP_S, seekTo, togglePlaying } from './playing.ts'
import { Scrubber } from './Scrubber.tsx'
import type { Source } from './sources.ts'
import { texts } from './texts.ts'
import { Volume } from './Volume.tsx'

const RATES = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2]

interface Props {
  media: HTMLMediaElement | null
  playing: Playing
  sources: readonly Source[]
  chosen: Source | undefined
  choose: (source: Source) => void
  fullScreen: { isFull: boolean; toggle: () => void }
  /** Undefined without captions. */
  captions: { areShown: boolean; toggle: () => void } | undefined
  isVideo: boolean
  onHelp: () => void
}

export function Controls(props: Props) {
  const { media, playing } = props
  const t = useTexts(texts)
  const formats = useFormats()
  const clock = (seconds: number) => formats.duration(Math.floor(seconds) * 1000)
  const skip = (seconds: number) => media && seekTo(media, playing.time + seconds)
  return (
    <div className={styles.controls}>
      <Scrubber media={media} playing={playing} />
      <div className={styles.row}>
        <PlayButton media={media} playing={playing} />
        <IconButton
          className={styles.skip}
          icon={<Rewind aria-hidden="true" />}
          label={t.back}
          onClick={() => skip(-SKIP_S)}
        />
        <IconButton
          className={styles.skip}
          icon={<FastForward aria-hidden="true" />}
          label={t.forward}
          onClick={() => skip(SKIP_S)}
        />
        <Volume media={media} playing={playing} />
        <span className={styles.time}>
          {clock(playing.time)} <span className={styles.total}>/ {clock(playing.duration)}</span>
        </span>
        <span className={styles.gap} />
        <Settings {...props} />
      </div>
    </div>
  )
}

function PlayButton({ media, playing: { isPaused, hasEnded } }: Pick<Props, 'media' | 'playing'>) {
  const t = useTexts(texts)
  const icon = hasEnded ? <RotateCcw aria-hidden="true" /> : <Play aria-hidden="true" />
  const label = hasEnded ? t.replay : t.play
  return (
    <IconButton
      icon={isPaused ? icon : <Pause aria-hidden="true" />}
      label={isPaused ? label : t.pause}
      onClick={() => media && togglePlaying(media)}
    />
  )
}

function Settings(props: Props) {
  const { media, playing, sources, chosen, choose, fullScreen, captions, isVideo, onHelp } = props
  const t = useTexts(texts)
  const named = sources.filter(({ quality }) => quality !== null)
  const setRate = (rate: number) => {
    if (!media) return
    // When another source loads, the element resets its rate to the default rate.
    media.defaultPlaybackRate = rate
    media.playbackRate = rate
  }
  return (
    <>
      {captions && (
        <IconButton
          icon={<Captions aria-hidden="true" />}
          label={t.captions}
          pressed={captions.areShown}
          onClick={captions.toggle}
        />
      )}
      {named.length > 1 && (
        <Choice
          label={t.quality}
          value={chosen?.url ?? ''}
          options={named.map(({ url, quality }) => ({ value: url, text: quality ?? '' }))}
          onChoose={(wanted) => {
            const source = named.find(({ url }) => url === wanted)
            if (source) choose(source)
          }}
        />
      )}
      <Choice
        label={t.speed}
        value={String(playing.rate)}
        options={RATES.map((rate) => ({ value: String(rate), text: `${rate}×` }))}
        onChoose={(rate) => setRate(Number(rate))}
      />
      <IconButton
        className={styles.help}
        icon={<Keyboard aria-hidden="true" />}
        label={t.keys}
        onClick={onHelp}
      />
      {isVideo && <FullScreenButton {...fullScreen} />}
    </>
  )
}

function FullScreenButton({ isFull, toggle }: Props['fullScreen']) {
  const t = useTexts(texts)
  return (
    <IconButton
      icon={isFull ? <Minimize aria-hidden="true" /> : <Maximize aria-hidden="true" />}
      label={isFull ? t.leaveFullScreen : t.fullScreen}
      onClick={toggle}
    />
  )
}
