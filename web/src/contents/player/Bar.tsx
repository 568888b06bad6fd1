import {
  FullscreenButton,
  MuteButton,
  PiPButton,
  PlayButton,
  SeekButton,
  TimeSlider,
  VolumeSlider,
} from '@videojs/react'
import {
  FastForward,
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
import { IconButton } from '../../ui/Button.tsx'
import { TheatreButton } from '../theatre.tsx'
import styles from './Bar.module.css'
import { Gear, type GearProps } from './Gear.tsx'
import { SKIP_S, STEP_S, usePlayer } from './behaviour.ts'
import { texts } from './texts.ts'

interface Props extends GearProps {
  isVideo: boolean
  /** CSS mask in the shape of the sound's waveform. Undefined until the waveform is computed. */
  waveform: string | undefined
}

export function Bar({ isVideo, waveform, ...gear }: Props) {
  const t = useTexts(texts)
  return (
    <div className={styles.controls}>
      <Scrubber {...{ isVideo, waveform }} />
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
        <Gear {...gear} />
        {isVideo && (
          <PiPButton
            label={({ pip }) => (pip ? t.leavePictureInPicture : t.pictureInPicture)}
            render={(props) => icon(props, PictureInPicture2)}
          />
        )}
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

function icon(props: ComponentProps<'button'>, Icon: LucideIcon) {
  return <IconButton {...props} label={props['aria-label'] ?? ''} icon={<Icon />} />
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
      {clock(time)} <span className={styles.total}>{clock(duration)}</span>
    </span>
  )
}

function Scrubber({ isVideo, waveform }: Pick<Props, 'isVideo' | 'waveform'>) {
  const t = useTexts(texts)
  const clock = useClock()
  const duration = usePlayer((state) => state.duration)
  return (
    <TimeSlider.Root
      className={`${styles.slider} ${isVideo ? '' : styles.tall}`}
      label={t.seek}
      step={STEP_S}
      data-waveform={waveform ? '' : undefined}
    >
      <TimeSlider.Track className={styles.track} style={{ mask: waveform }}>
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

/**
 * Mute button and volume slider. The slider is visible while the pointer or the focus is on the control. Phones have no
 * slider, because they have volume keys.
 */
function Volume() {
  const t = useTexts(texts)
  const formats = useFormats()
  const heard = usePlayer(({ volume, muted }) => (muted ? 0 : volume))
  const Icons = { off: VolumeX, low: Volume1, medium: Volume2, high: Volume2 }
  return (
    <div className={styles.sound}>
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
    </div>
  )
}
