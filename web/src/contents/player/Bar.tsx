import {
  CaptionsButton,
  FullscreenButton,
  MuteButton,
  PiPButton,
  PlayButton,
  SeekButton,
  TimeSlider,
  VolumeSlider,
} from '@videojs/react'
import {
  Captions,
  FastForward,
  Keyboard,
  Maximize,
  Minimize,
  Pause,
  PictureInPicture2,
  Play,
  Rewind,
  RotateCcw,
  Volume1,
  Volume2,
  VolumeX,
  type LucideIcon,
} from 'lucide-react'
import type { ComponentProps } from 'react'
import { useFormats } from '../../language/formats.ts'
import { useTexts } from '../../language/texts.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { TheatreButton } from '../theatre.tsx'
import styles from './Player.module.css'
import { SKIP_S, STEP_S, usePlayer } from './behaviour.ts'
import type { Source } from './sources.ts'
import { texts } from './texts.ts'

interface Props {
  isVideo: boolean
  sources: readonly Source[]
  chosen: Source | undefined
  choose: (source: Source) => void
  onHelp: () => void
}

export function Bar({ isVideo, sources, chosen, choose, onHelp }: Props) {
  const t = useTexts(texts)
  return (
    <div className={styles.controls}>
      <Scrubber />
      <div className={styles.row}>
        <PlayButton
          label={({ paused, ended }) => (ended ? t.replay : paused ? t.play : t.pause)}
          render={(props, { paused, ended }) =>
            icon(props, ended ? RotateCcw : paused ? Play : Pause)
          }
        />
        <SeekButton
          className={styles.skip}
          seconds={-SKIP_S}
          label={t.back}
          render={(props) => icon(props, Rewind)}
        />
        <SeekButton
          className={styles.skip}
          seconds={SKIP_S}
          label={t.forward}
          render={(props) => icon(props, FastForward)}
        />
        <Volume />
        <Clock />
        <span className={styles.gap} />
        <CaptionsButton
          label={t.captions}
          render={(props, { subtitlesShowing }) => icon(props, Captions, subtitlesShowing)}
        />
        <Quality {...{ sources, chosen, choose }} />
        <Speed />
        <IconButton className={styles.help} icon={<Keyboard />} label={t.keys} onClick={onHelp} />
        <PiPButton
          className={styles.skip}
          label={({ pip }) => (pip ? t.leavePictureInPicture : t.pictureInPicture)}
          render={(props) => icon(props, PictureInPicture2)}
        />
        {isVideo && <TheatreButton />}
        {isVideo && (
          <FullscreenButton
            label={({ fullscreen }) => (fullscreen ? t.leaveFullScreen : t.fullScreen)}
            render={(props, { fullscreen }) => icon(props, fullscreen ? Minimize : Maximize)}
          />
        )}
      </div>
    </div>
  )
}

function icon(props: ComponentProps<'button'>, Icon: LucideIcon, pressed?: boolean) {
  return (
    <IconButton
      {...props}
      label={props['aria-label'] ?? ''}
      icon={<Icon />}
      {...(pressed !== undefined && { pressed })}
    />
  )
}

function useClock() {
  const formats = useFormats()
  return (seconds: number) => formats.duration(Math.floor(seconds) * 1000)
}

function Clock() {
  const clock = useClock()
  const time = usePlayer(({ currentTime }) => Math.floor(currentTime))
  const duration = usePlayer((state) => state.duration)
  return (
    <span className={styles.time}>
      {clock(time)} <span className={styles.total}>/ {clock(duration)}</span>
    </span>
  )
}

function Scrubber() {
  const t = useTexts(texts)
  const clock = useClock()
  const duration = usePlayer((state) => state.duration)
  return (
    <TimeSlider.Root className={styles.slider} label={t.seek} step={STEP_S}>
      <TimeSlider.Track className={styles.track}>
        <TimeSlider.Buffer className={styles.buffer} />
        <TimeSlider.Fill className={styles.fill} />
      </TimeSlider.Track>
      <TimeSlider.Thumb
        className={styles.thumb}
        render={(props, { value }) => (
          <div {...props} aria-valuetext={t.position(clock(value), clock(duration))} />
        )}
      />
      <TimeSlider.Preview className={styles.pointed} aria-hidden="true">
        <TimeSlider.Value type="pointer" format={clock} />
      </TimeSlider.Preview>
    </TimeSlider.Root>
  )
}

/** Volume control. Phones have volume keys, so there it is only a mute button. */
function Volume() {
  const t = useTexts(texts)
  const formats = useFormats()
  const heard = usePlayer(({ volume, muted }) => (muted ? 0 : volume))
  const Icons = { off: VolumeX, low: Volume1, medium: Volume2, high: Volume2 }
  return (
    <>
      <MuteButton
        label={({ muted }) => (muted ? t.unmute : t.mute)}
        render={(props, { volumeLevel }) => icon(props, Icons[volumeLevel])}
      />
      <VolumeSlider.Root className={`${styles.slider} ${styles.volume}`} label={t.volume}>
        <VolumeSlider.Track className={styles.track}>
          <VolumeSlider.Fill className={styles.fill} />
        </VolumeSlider.Track>
        <VolumeSlider.Thumb className={styles.thumb} aria-valuetext={formats.percent(heard)} />
      </VolumeSlider.Root>
    </>
  )
}

function Quality({ sources, chosen, choose }: Pick<Props, 'sources' | 'chosen' | 'choose'>) {
  const t = useTexts(texts)
  const named = sources.filter(({ quality }) => quality !== null)
  if (named.length < 2) return null
  return (
    <Choice
      label={t.quality}
      value={chosen?.url ?? ''}
      options={named.map(({ url, quality }) => ({ value: url, text: quality ?? '' }))}
      onChoose={(wanted) => {
        const source = named.find(({ url }) => url === wanted)
        if (source) choose(source)
      }}
    />
  )
}

const RATES = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2]

function Speed() {
  const t = useTexts(texts)
  const rate = usePlayer(({ playbackRate }) => playbackRate)
  const { setPlaybackRate } = usePlayer()
  return (
    <Choice
      label={t.speed}
      value={String(rate)}
      options={RATES.map((option) => ({ value: String(option), text: `${option}×` }))}
      onChoose={(option) => setPlaybackRate(Number(option))}
    />
  )
}

interface ChoiceProps {
  label: string
  value: string
  options: readonly { value: string; text: string }[]
  onChoose: (value: string) => void
}

/** Drop-down list. It is a native element, because its options must also appear in full screen. */
function Choice({ label, value, options, onChoose }: ChoiceProps) {
  return (
    <select
      className={styles.choice}
      aria-label={label}
      title={label}
      value={value}
      onChange={({ target }) => onChoose(target.value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.text}
        </option>
      ))}
    </select>
  )
}
