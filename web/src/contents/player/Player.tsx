import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { BufferingIndicator, Container, Controls, Gesture, PlayButton } from '@videojs/react'
import { Audio } from '@videojs/react/audio'
import { Video } from '@videojs/react/video'
import { Music, Pause, Play, RotateCcw } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import type { Content, Conversion, Media } from '#sdk'
import { savesData, useWantsCalm } from '../../device/viewing.ts'
import { useFormats } from '../../language/formats.ts'
import { useTexts } from '../../language/texts.ts'
import { Button, Spinner } from '../../ui/Button.tsx'
import { recommendationsQuery } from '../queries.ts'
import { Bar } from './Bar.tsx'
import styles from './Player.module.css'
import {
  PlayerStore,
  SKIP_S,
  useNowPlaying,
  usePlayer,
  usePlayerKeys,
  useResuming,
  useVolume,
  useWaveform,
} from './behaviour.ts'
import { KeyHelp, UpNext } from './panels.tsx'
import { loadSettings, saveSettings, type Source, sourcesOf, useSource } from './playback.ts'
import { texts } from './texts.ts'

interface PlaylistProps {
  id: string
  /** True if the viewer pressed play on the cover before this component loaded. */
  startsAtOnce: boolean
  title: string
  artist: string
  poster: string | null
  files: readonly Media[]
  captions: readonly Media[]
  /** Converted versions of the files. Undefined while the list of versions loads. */
  renditions: Conversion['renditions'] | undefined
}

/**
 * Ids of the videos that this tab has played. A played video is not offered as the next one, so that two videos do not
 * alternate forever.
 */
const played = new Set<string>()
/** Id of the video that another video's player opened as the next one. It starts immediately. */
let continued: string | undefined

/** Player of a content item's files, one after another, with buttons to choose a file. */
export function Playlist({
  id,
  startsAtOnce: isAsked,
  files,
  renditions,
  ...named
}: PlaylistProps) {
  const t = useTexts(texts)
  const formats = useFormats()
  const navigate = useNavigate()
  const [{ index, startsAtOnce }, setShown] = useState({
    index: 0,
    startsAtOnce: isAsked || id === continued,
  })
  useEffect(() => {
    played.add(id)
    continued = undefined
  }, [id])
  const { data: recommended } = useQuery(recommendationsQuery(id))
  const next = recommended?.find((content) => content.type === 'video' && !played.has(content.id))
  const medium = files[index] as Media
  const sources = useMemo(
    () => renditions && sourcesOf(medium, renditions, files.length === 1),
    [medium, renditions, files.length],
  )
  const hasNext = index + 1 < files.length
  return (
    <>
      <Player
        key={medium.upload_id}
        {...named}
        medium={medium}
        sources={sources}
        startsAtOnce={startsAtOnce}
        onEnded={hasNext ? () => setShown({ index: index + 1, startsAtOnce: true }) : undefined}
        next={!hasNext && medium.mime_type.startsWith('video/') ? next : undefined}
        onNext={() => {
          continued = next?.id
          if (next) void navigate({ to: '/contents/$id', params: { id: next.id } })
        }}
      />
      {files.length > 1 && (
        <ol className="cluster" aria-label={t.parts}>
          {files.map(({ upload_id, duration_ms }, place) => (
            <li key={upload_id}>
              <button
                type="button"
                className={styles.part}
                aria-current={place === index || undefined}
                onClick={() => setShown({ index: place, startsAtOnce: true })}
              >
                {t.part(place + 1)}
                {duration_ms != null && <span>{formats.duration(duration_ms)}</span>}
              </button>
            </li>
          ))}
        </ol>
      )}
    </>
  )
}

interface PlayerProps extends Pick<PlaylistProps, 'title' | 'artist' | 'poster' | 'captions'> {
  medium: Media
  /** Sources of the file, best first. Undefined until the server's renditions are known. */
  sources: readonly Source[] | undefined
  /** True to start playback as soon as the file loads. */
  startsAtOnce: boolean
  onEnded: (() => void) | undefined
  /** Video that is offered when the file ends. */
  next: Content | undefined
  onNext: () => void
}

function Player(props: PlayerProps) {
  return (
    <PlayerStore>
      <Surface {...props} />
    </PlayerStore>
  )
}

function Surface(props: PlayerProps) {
  const { title, medium, sources, startsAtOnce, next, onNext } = props
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

interface PictureProps extends PlayerProps {
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
