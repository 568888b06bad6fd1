import { BufferingIndicator, Container, Controls, Gesture, PlayButton } from '@videojs/react'
import { Audio } from '@videojs/react/audio'
import { Video } from '@videojs/react/video'
import { Music, Pause, Play, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import type { Content, Media } from '#sdk'
import { savesData, useWantsCalm } from '../../device/viewing.ts'
import { useFormats } from '../../language/formats.ts'
import { useTexts } from '../../language/texts.ts'
import { Button, Spinner } from '../../ui/Button.tsx'
import { Bar } from './Bar.tsx'
import { KeyHelp } from './KeyHelp.tsx'
import styles from './Player.module.css'
import { UpNext } from './UpNext.tsx'
import {
  PlayerStore,
  SKIP_S,
  useNowPlaying,
  usePlayer,
  usePlayerKeys,
  useResuming,
  useVolume,
} from './behaviour.ts'
import { useWaveform } from './peaks.ts'
import { loadSettings, saveSettings } from './settings.ts'
import { type Source, useSource } from './sources.ts'
import { texts } from './texts.ts'

interface Props {
  title: string
  artist: string
  poster: string | null
  medium: Media
  /** Sources of the file, best first. Undefined until the server's renditions are known. */
  sources: readonly Source[] | undefined
  captions: readonly Media[]
  /** True when the previous file has ended, or when the viewer has chosen this file. */
  startsAtOnce?: boolean
  onEnded?: (() => void) | undefined
  /** Video that is offered when the file ends. */
  next?: Content | undefined
  onNext: () => void
}

export function Player(props: Props) {
  return (
    <PlayerStore>
      <Surface {...props} />
    </PlayerStore>
  )
}

function Surface(props: Props) {
  const { title, medium, sources, startsAtOnce = false, next, onNext } = props
  const t = useTexts(texts)
  const [media, setMedia] = useState<HTMLMediaElement | null>(null)
  const point = useResuming(media, medium.upload_id)
  const source = useSource(media, sources, { time: point, isPlaying: startsAtOnce })
  const isVideo = medium.mime_type.startsWith('video/')
  const waveform = useWaveform(medium)
  const help = useHelp()
  const autoplay = useAutoplay()
  const hasEnded = usePlayer(({ ended }) => ended)
  usePlayerKeys(isVideo, help)
  useVolume(media)
  useNowPlaying(props)
  return (
    <Container
      className={isVideo ? styles.player : styles.sound}
      style={isVideo ? { aspectRatio: ratioOf(medium) } : undefined}
      role="region"
      tabIndex={-1}
      aria-label={t.player(title)}
    >
      <Picture {...props} {...{ isVideo, setMedia }} url={source.chosen?.url} />
      <BufferingIndicator
        className={styles.state}
        role="status"
        render={(given, { visible }) => (
          <div {...given}>
            {visible && <Spinner />}
            {visible && <span className="unseen">{t.loading}</span>}
          </div>
        )}
      />
      {hasEnded && next ? (
        <UpNext content={next} autoplays={autoplay.isOn === true} onNext={onNext} />
      ) : (
        isVideo && !source.hasFailed && <Start point={point} canPlay={Boolean(source.chosen)} />
      )}
      {source.hasFailed && <Failure retry={source.retry} />}
      <Controls.Root visibility={isVideo ? 'auto' : 'always'}>
        <Controls.Content className={isVideo ? styles.bar : undefined}>
          <Resumed point={point} />
          <Bar
            {...{ isVideo, waveform }}
            sources={sources ?? []}
            chosen={source.chosen}
            choose={source.choose}
            autoplays={isVideo ? autoplay.isOn : undefined}
            onAutoplays={autoplay.turn}
            onHelp={help.open}
          />
        </Controls.Content>
      </Controls.Root>
      {help.isOpen && <KeyHelp {...{ isVideo, ...help }} hasCaptions={props.captions.length > 0} />}
    </Container>
  )
}

/** Aspect ratio that reserves the space before the file loads. */
function ratioOf({ width, height }: Media): string {
  return width && height ? `${width} / ${height}` : '16 / 9'
}

/**
 * Returns the viewer's autoplay setting. With reduced motion or a data saver, `isOn` is undefined and videos never
 * start automatically.
 */
function useAutoplay() {
  const isCalm = useWantsCalm()
  const [isOn, setIsOn] = useState(() => loadSettings().autoplays)
  return {
    isOn: isCalm || savesData() ? undefined : isOn,
    turn: (wanted: boolean) => {
      setIsOn(wanted)
      saveSettings({ autoplays: wanted })
    },
  }
}

function useHelp() {
  const [isOpen, setIsOpen] = useState(false)
  const [usesKeys, setUsesKeys] = useState(() => loadSettings().usesKeys)
  return {
    isOpen,
    usesKeys,
    open: () => setIsOpen(true),
    close: () => setIsOpen(false),
    use: (wanted: boolean) => {
      setUsesKeys(wanted)
      saveSettings({ usesKeys: wanted })
    },
  }
}

interface PictureProps extends Props {
  isVideo: boolean
  url: string | undefined
  setMedia: (media: HTMLMediaElement | null) => void
}

function Picture({ title, poster, captions, isVideo, url, setMedia, onEnded }: PictureProps) {
  const element = { ref: setMedia, src: url, preload: 'metadata', 'aria-label': title, onEnded }
  const tracks = captions.map((track) => (
    <track key={track.upload_id} kind="captions" src={track.url ?? undefined} />
  ))
  if (isVideo) {
    return (
      <>
        <Video {...element} className={styles.media} poster={poster ?? undefined} playsInline>
          {tracks}
        </Video>
        <Gesture type="tap" action="togglePaused" pointer="mouse" />
        <Gesture type="doubletap" action="toggleFullscreen" pointer="mouse" />
        <Gesture type="tap" action="toggleControls" pointer="touch" />
        <Gesture type="doubletap" action="seekStep" pointer="touch" region="left" value={-SKIP_S} />
        <Gesture type="doubletap" action="seekStep" pointer="touch" region="right" value={SKIP_S} />
      </>
    )
  }
  return (
    <>
      <div className={styles.cover}>
        {poster ? <img className="crop" src={poster} alt="" /> : <Music />}
      </div>
      <Audio {...element}>{tracks}</Audio>
    </>
  )
}

/** Large play button in the middle. Shown before a video starts, and on touch screens whenever the bar is visible. */
function Start({ point, canPlay }: { point: number; canPlay: boolean }) {
  const t = useTexts(texts)
  const isAtRest = usePlayer(
    ({ paused, currentTime }) => paused && (currentTime === 0 || currentTime === point),
  )
  return (
    <PlayButton
      className={styles.start}
      data-rest={isAtRest || undefined}
      label={({ paused, ended }) => (ended ? t.replay : paused ? t.play : t.pause)}
      disabled={!canPlay}
      render={(props, { paused, ended }) => (
        <button {...props}>{ended ? <RotateCcw /> : paused ? <Play /> : <Pause />}</button>
      )}
    />
  )
}

function Failure({ retry }: { retry: () => void }) {
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

function Resumed({ point }: { point: number }) {
  const t = useTexts(texts)
  const formats = useFormats()
  const { seek } = usePlayer()
  const isShown = usePlayer(
    ({ currentTime }) =>
      point > 0 && currentTime >= point && currentTime <= point + RESUMED_SHOWN_S,
  )
  if (!isShown) return null
  return (
    <p className={styles.resumed}>
      {t.resumed(formats.duration(point * 1000))}
      <Button size="small" look="plain" onClick={() => void seek(0)}>
        {t.startOver}
      </Button>
    </p>
  )
}
