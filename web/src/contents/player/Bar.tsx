import {
  FullscreenButton,
  Menu,
  MuteButton,
  PiPButton,
  PlayButton,
  SeekButton,
  TimeSlider,
  VolumeSlider,
} from '@videojs/react'
import {
  Check,
  ChevronLeft,
  ChevronRight,
  FastForward,
  type LucideIcon,
  Maximize,
  Minimize,
  Pause,
  PictureInPicture2,
  Play,
  Rewind,
  RotateCcw,
  Settings,
  Volume1,
  Volume2,
  VolumeX,
} from 'lucide-react'
import { type ComponentProps, useRef } from 'react'
import { useFormats } from '../../language/formats.ts'
import { useTexts } from '../../language/texts.ts'
import { IconButton } from '../../ui/Button.tsx'
import { TheatreButton } from '../stage.tsx'
import { SKIP_S, STEP_S, usePlayer } from './behaviour.ts'
import styles from './controls.module.css'
import type { Source } from './playback.ts'
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

const RATES = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2]

interface GearProps {
  sources: readonly Source[]
  chosen: Source | undefined
  choose: (source: Source) => void
  /** True when the next video starts automatically. If undefined, the menu has no such choice. */
  autoplays: boolean | undefined
  onAutoplays: (wanted: boolean) => void
  onHelp: () => void
}

/** Menu of the player's settings. Video.js keeps the control bar visible while the menu is open. */
function Gear({ sources, chosen, choose, autoplays, onAutoplays, onHelp }: GearProps) {
  const t = useTexts(texts)
  const { setPlaybackRate, toggleSubtitles } = usePlayer()
  const rate = usePlayer(({ playbackRate }) => playbackRate)
  const hasCaptions = usePlayer(({ textTrackList }) =>
    textTrackList.some(({ kind }) => kind === 'captions'),
  )
  const showsCaptions = usePlayer(({ subtitlesShowing }) => subtitlesShowing)
  const wantsHelp = useRef(false)
  const named = sources.filter(({ quality }) => quality !== null)
  return (
    <Menu.Root
      side="top"
      align="end"
      boundary="viewport"
      // Opens the list of shortcuts only after the menu has closed. The closing menu moves the focus to its button, so
      // the list would lose the focus.
      onOpenChangeComplete={(isOpen) => {
        if (isOpen || !wantsHelp.current) return
        wantsHelp.current = false
        onHelp()
      }}
    >
      <Menu.Trigger
        render={(props) => <IconButton {...props} icon={<Settings />} label={t.settings} />}
      />
      <Menu.Popup className={styles.popup}>
        <Menu.Content className={styles.page}>
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
            value={String(rate)}
            options={RATES.map((option) => ({ value: String(option), text: `${option}×` }))}
            onChoose={(option) => setPlaybackRate(Number(option))}
          />
          {hasCaptions && (
            <Switch label={t.captions} isOn={showsCaptions} onChange={() => toggleSubtitles()} />
          )}
          {autoplays !== undefined && (
            <Switch label={t.autoplay} isOn={autoplays} onChange={onAutoplays} />
          )}
          <Menu.Item
            className={`${styles.item} ${styles.keysItem}`}
            onSelect={() => {
              wantsHelp.current = true
            }}
          >
            {t.keys}
          </Menu.Item>
        </Menu.Content>
      </Menu.Popup>
    </Menu.Root>
  )
}

interface SwitchProps {
  label: string
  isOn: boolean
  onChange: (isOn: boolean) => void
}

function Switch({ label, isOn, onChange }: SwitchProps) {
  return (
    <Menu.CheckboxItem className={styles.item} checked={isOn} onCheckedChange={onChange}>
      {label}
      <Check className={styles.check} />
    </Menu.CheckboxItem>
  )
}

interface ChoiceProps {
  label: string
  value: string
  options: readonly { value: string; text: string }[]
  onChoose: (value: string) => void
}

function Choice({ label, value, options, onChoose }: ChoiceProps) {
  return (
    <Menu.Root>
      <Menu.Trigger
        className={styles.item}
        render={(props) => (
          <div {...props}>
            {label}
            <span className={styles.value}>
              {options.find((option) => option.value === value)?.text}
              <ChevronRight />
            </span>
          </div>
        )}
      />
      <Menu.Content className={styles.page}>
        <Menu.Item className={`${styles.item} ${styles.back}`}>
          <ChevronLeft />
          {label}
        </Menu.Item>
        <Menu.RadioGroup value={value} onValueChange={onChoose} aria-label={label}>
          {options.map((option) => (
            <Menu.RadioItem key={option.value} value={option.value} className={styles.item}>
              {option.text}
              <Check className={styles.check} />
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Content>
    </Menu.Root>
  )
}
