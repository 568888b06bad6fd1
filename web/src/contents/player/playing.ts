/** State of a media element, updated by the element's events. */
import { useEffect, useState } from 'react'

export interface Playing {
  isPaused: boolean
  hasEnded: boolean
  /** True when playback has stopped until more data arrives. */
  isWaiting: boolean
  /** Playback position in seconds. All times in this file are in seconds. */
  time: number
  /** Zero while unknown. */
  duration: number
  /** End of the loaded range that contains the current position. */
  bufferedTo: number
  volume: number
  isMuted: boolean
  rate: number
}

/** Seconds to skip with the buttons and the J and L keys. */
export const SKIP_S = 10

const EVENTS = [
  'play',
  'pause',
  'playing',
  'waiting',
  'canplay',
  'ended',
  'seeking',
  'seeked',
  'timeupdate',
  'progress',
  'durationchange',
  'volumechange',
  'ratechange',
  'emptied',
] as const

const AT_REST: Playing = {
  isPaused: true,
  hasEnded: false,
  isWaiting: false,
  time: 0,
  duration: 0,
  bufferedTo: 0,
  volume: 1,
  isMuted: false,
  rate: 1,
}

export function usePlaying(media: HTMLMediaElement | null): Playing {
  const [playing, setPlaying] = useState(AT_REST)
  useEffect(() => {
    if (!media) return undefined
    const tell = () => setPlaying(read(media))
    for (const event of EVENTS) media.addEventListener(event, tell)
    tell()
    return () => {
      for (const event of EVENTS) media.removeEventListener(event, tell)
    }
  }, [media])
  return playing
}

function read(media: HTMLMediaElement): Playing {
  const { paused, ended, currentTime, duration, readyState } = media
  return {
    isPaused: paused,
    hasEnded: ended,
    isWaiting: !paused && !ended && readyState < HTMLMediaElement.HAVE_FUTURE_DATA,
    time: currentTime,
    duration: Number.isFinite(duration) ? duration : 0,
    bufferedTo: bufferedTo(media),
    volume: media.volume,
    isMuted: media.muted,
    rate: media.playbackRate,
  }
}

function bufferedTo({ buffered, currentTime }: HTMLMediaElement): number {
  for (let at = 0; at < buffered.length; at++) {
    if (buffered.start(at) <= currentTime + 0.1 && currentTime <= buffered.end(at)) {
      return buffered.end(at)
    }
  }
  return currentTime
}

export function togglePlaying(media: HTMLMediaElement): void {
  // If the browser blocks playback, the element remains paused and the player shows it as paused.
  if (media.paused) void media.play().catch(() => {})
  else media.pause()
}

export function seekTo(media: HTMLMediaElement, time: number): void {
  if (!Number.isFinite(media.duration)) return
  media.currentTime = Math.min(Math.max(time, 0), media.duration)
}
