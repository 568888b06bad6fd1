import { useQuery } from '@tanstack/react-query'
import { Play, RotateCcw, Volume2, VolumeX } from 'lucide-react'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import type { Content, Media } from '#sdk'
import { useKeys } from '../contents/keys.ts'
import { sourcesOf, useSource } from '../contents/player/playback.ts'
import { conversionQuery } from '../contents/queries.ts'
import { Overlay } from '../contents/stage.tsx'
import { keep, load } from '../device/storage.ts'
import { useIsPageSeen, useWantsCalm } from '../device/viewing.ts'
import { useTexts } from '../language/texts.ts'
import { Spinner } from '../ui/Button.tsx'
import { containedIn, pictureSources, thumbnailFor } from '../ui/sources.ts'
import styles from './Medium.module.css'
import { usesLetters } from './slides.ts'
import { texts } from './texts.ts'

interface Props {
  content: Content
  medium: Media
  place: number
  count: number
  isShown: boolean
  mayLoad: boolean
  sound: Sound
}

export function Medium({ place, count, ...props }: Props) {
  const t = useTexts(texts)
  const { content, medium, mayLoad } = props
  if (medium.mime_type.startsWith('video/')) {
    return <Clip {...props} isFirst={place === 0} isOnly={count === 1} />
  }
  if (!mayLoad) return null
  const { title } = content
  return (
    <img
      className={styles.medium}
      style={{ objectFit: fitOf(medium) }}
      srcSet={pictureSources(medium)}
      sizes={containedIn(medium, SLIDE_WIDTH, '100vh')}
      src={medium.url ?? undefined}
      alt={count > 1 ? t.page(title, place + 1, count) : title}
      decoding="async"
    />
  )
}

/** Width / height of a slide. */
const BOX = 9 / 16
/** CSS width of a slide. */
const SLIDE_WIDTH = 'min(100vw, 56.25vh)'
/** Maximum relative difference of the aspect ratios of medium and slide at which the medium is cropped to fit. */
const CUT = 0.14

function fitOf({ width, height }: Pick<Media, 'width' | 'height'>): 'cover' | 'contain' {
  if (!width || !height) return 'contain'
  return Math.abs(width / height / BOX - 1) <= CUT ? 'cover' : 'contain'
}

const SEEK_S = 5

interface ClipProps extends Omit<Props, 'place' | 'count'> {
  /** True for the content's first medium, whose poster is the thumbnail. */
  isFirst: boolean
  /** True for the content's only medium. The arrow keys then seek instead of changing the page. */
  isOnly: boolean
}

function Clip({ content, medium, isFirst, isOnly, isShown, mayLoad, sound }: ClipProps) {
  const [video, setVideo] = useState<HTMLVideoElement | null>(null)
  const sources = useSources(content, medium, mayLoad)
  const { chosen, hasFailed, retry } = useSource(video, sources, NOT_STARTED)
  const isCalm = useWantsCalm()
  /**
   * True after the viewer started the video, false after a pause. If undefined, the video plays unless the viewer
   * prefers reduced motion.
   */
  const [isStarted, setIsStarted] = useState<boolean>()
  const shouldPlay = isShown && (isStarted ?? !isCalm)
  useRunning({ video, shouldPlay, url: chosen?.url, sound })
  useRewind(video, isShown, () => setIsStarted(undefined))
  const toggle = () => setIsStarted(!shouldPlay)
  useKeys((key, isHeld) => {
    if (!isShown || !video) return false
    const once = (turn: () => void) => isHeld || turn()
    if (key === ' ') once(toggle)
    else if (key === 'm' && usesLetters()) once(() => sound.turn(!sound.isOn))
    else if (!isOnly) return false
    else if (key === 'ArrowLeft') video.currentTime -= SEEK_S
    else if (key === 'ArrowRight') video.currentTime += SEEK_S
    else return false
    return true
  })
  return (
    <>
      <video
        ref={setVideo}
        className={styles.medium}
        style={{ objectFit: fitOf(medium) }}
        src={mayLoad ? chosen?.url : undefined}
        poster={(mayLoad && isFirst && thumbnailFor(content, innerWidth)) || undefined}
        preload={mayLoad ? 'auto' : 'none'}
        tabIndex={-1}
        aria-hidden="true"
        muted={!sound.isOn}
        loop
        playsInline
        disablePictureInPicture
      />
      <Over {...{ video, shouldPlay, hasFailed, retry, toggle, sound }} />
    </>
  )
}

const NOT_STARTED = { time: 0, isPlaying: false }

function useSources(content: Content, medium: Media, mayLoad: boolean) {
  const isOnly = content.media.length === 1
  const { data, isError } = useQuery({
    ...conversionQuery(content.id),
    staleTime: Infinity,
    refetchOnMount: false,
    enabled: mayLoad,
  })
  return useMemo(() => {
    // If reading the conversion fails, the player uses the URLs in the medium.
    if (!data && !isError) return undefined
    return sourcesOf(medium, data?.renditions ?? [], isOnly)
  }, [data, isError, medium, isOnly])
}

interface Running {
  video: HTMLVideoElement | null
  shouldPlay: boolean
  url: string | undefined
  sound: Sound
}

function useRunning({ video, shouldPlay, url, sound }: Running): void {
  const isPageSeen = useIsPageSeen()
  const runs = shouldPlay && isPageSeen && url !== undefined
  const refuse = useEffectEvent(() => sound.refuse())
  useEffect(() => {
    if (!video) return undefined
    if (!runs) {
      video.pause()
      return undefined
    }
    const play = async () => {
      try {
        await video.play()
      } catch (error) {
        if (!(error instanceof DOMException) || error.name !== 'NotAllowedError') return
        if (video.muted) return
        video.muted = true
        refuse()
        await video.play().catch(() => {})
      }
    }
    void play()
    return () => video.pause()
  }, [video, runs, url])
}

function useRewind(video: HTMLVideoElement | null, isShown: boolean, onLeave: () => void): void {
  const leave = useEffectEvent(onLeave)
  useEffect(() => {
    if (isShown || !video) return
    if (video.currentTime > 0) video.currentTime = 0
    leave()
  }, [video, isShown])
}

const EVENTS = [
  'play',
  'pause',
  'playing',
  'waiting',
  'canplay',
  'seeked',
  'timeupdate',
  'durationchange',
  'emptied',
] as const

/** Returns the playback state of a video. Times are in seconds. */
function useProgress(video: HTMLVideoElement | null) {
  const [progress, setProgress] = useState(() => progressOf(video))
  useEffect(() => {
    if (!video) return undefined
    const update = () => setProgress(progressOf(video))
    for (const event of EVENTS) video.addEventListener(event, update)
    update()
    return () => {
      for (const event of EVENTS) video.removeEventListener(event, update)
    }
  }, [video])
  return progress
}

function progressOf(video: HTMLVideoElement | null) {
  if (!video) return { isPaused: true, isWaiting: false, time: 0, duration: 0 }
  const { paused, ended, currentTime, duration, readyState } = video
  return {
    isPaused: paused,
    /** True when playback has stopped until more data arrives. */
    isWaiting: !paused && !ended && readyState < HTMLMediaElement.HAVE_FUTURE_DATA,
    time: currentTime,
    duration: Number.isFinite(duration) ? duration : 0,
  }
}

interface OverProps extends Omit<Running, 'url'> {
  hasFailed: boolean
  retry: () => void
  toggle: () => void
}

function Over({ video, shouldPlay, hasFailed, retry, toggle, sound }: OverProps) {
  const t = useTexts(texts)
  const { isPaused, isWaiting, time, duration } = useProgress(video)
  if (hasFailed) {
    return (
      <Overlay hides role="alert">
        <p>{t.unplayable}</p>
        <button type="button" className={styles.retry} onClick={retry}>
          <RotateCcw />
          {t.retry}
        </button>
      </Overlay>
    )
  }
  const press = () => {
    if (shouldPlay && isPaused) void video?.play().catch(() => {})
    else toggle()
  }
  return (
    <>
      <button
        type="button"
        className={styles.whole}
        aria-label={isPaused ? t.play : t.pause}
        onClick={press}
      >
        {isPaused && !shouldPlay && <Play className={styles.start} />}
        {isWaiting && <Spinner />}
      </button>
      <button
        type="button"
        className={styles.sound}
        aria-label={sound.isOn ? t.soundOff : t.soundOn}
        title={sound.isOn ? t.soundOff : t.soundOn}
        onClick={() => sound.turn(!sound.isOn)}
      >
        {sound.isOn ? <Volume2 /> : <VolumeX />}
      </button>
      <span
        className={styles.line}
        aria-hidden="true"
        // Turns off the transition at the start. Otherwise the progress line would move backwards when the video loops.
        data-begins={time < 0.5 || undefined}
        style={{ transform: `scaleX(${duration > 0 ? time / duration : 0})` }}
      />
    </>
  )
}

const SOUND_KEY = 'plaza.swipe.sound'

export interface Sound {
  isOn: boolean
  turn: (isOn: boolean) => void
  /** Turns the sound off without storing the choice, because the browser has blocked the sound. */
  refuse: () => void
}

export function useSound(): Sound {
  const [isOn, setIsOn] = useState(() => load(SOUND_KEY) === 'on')
  return {
    isOn,
    turn: (wanted) => {
      setIsOn(wanted)
      keep(SOUND_KEY, wanted ? 'on' : 'off')
    },
    refuse: () => setIsOn(false),
  }
}
