/** Video and audio player: the browser's media element with custom controls. */
import { useRef, useState } from 'react'
import type { Media } from '#sdk'
import { useTexts } from '../../language/texts.ts'
import { useLoudness, useNowPlaying, usePlayerKeys } from './behaviour.ts'
import { Controls } from './Controls.tsx'
import { useCaptions } from './captions.ts'
import { useFullScreen } from './fullScreen.ts'
import { useIdle } from './idle.ts'
import { KeyHelp } from './KeyHelp.tsx'
import { keepSettings, loadSettings } from './settings.ts'
import { Failure, Resumed, Start, Waiting } from './Overlays.tsx'
import { Picture } from './Picture.tsx'
import styles from './Player.module.css'
import { togglePlaying, usePlaying } from './playing.ts'
import { useResuming } from './resuming.ts'
import { useSource } from './source.ts'
import type { Source } from './sources.ts'
import { texts } from './texts.ts'

interface Props {
  title: string
  artist: string
  poster: string | null
  medium: Media
  /** Playable sources. Undefined until the server's renditions are known. */
  sources: readonly Source[] | undefined
  /** Caption files of the content. */
  captions: readonly Media[]
  /**
   * True to play without a click: after the previous file has ended, or when the viewer has chosen this file.
   */
  startsAtOnce?: boolean
  onEnded?: (() => void) | undefined
}

export function Player(props: Props) {
  const { title, poster, medium, sources, startsAtOnce = false } = props
  const t = useTexts(texts)
  const box = useRef<HTMLDivElement>(null)
  const [media, setMedia] = useState<HTMLMediaElement | null>(null)
  const playing = usePlaying(media)
  const point = useResuming(media, medium.upload_id)
  const source = useSource(media, sources, { time: point, isPlaying: startsAtOnce })
  const fullScreen = useFullScreen(box)
  const captions = useCaptions(media)
  const help = useHelp()
  const isVideo = medium.mime_type.startsWith('video/')
  const idle = useIdle(box, isVideo && !playing.isPaused && !help.isOpen)
  const toggle = () => media && togglePlaying(media)
  usePlayerKeys({ media, playing, fullScreen, captions, help })
  useLoudness(media)
  useNowPlaying(playing.isPaused, props)
  const isAtRest = playing.isPaused && (playing.time === 0 || playing.time === point)
  return (
    <section
      ref={box}
      className={styles.player}
      style={{ aspectRatio: ratioOf(medium, isVideo) }}
      aria-label={t.player(title)}
      data-idle={idle.isIdle || undefined}
    >
      <Picture
        {...{ title, poster, isVideo, setMedia, idle, toggle }}
        captions={props.captions}
        url={source.chosen?.url}
        onEnded={props.onEnded}
        onDoubleClick={fullScreen.toggle}
      />
      {isAtRest && !source.hasFailed && <Start isReady={!!source.chosen} onStart={toggle} />}
      <Waiting isWaiting={playing.isWaiting} />
      {source.hasFailed && <Failure retry={source.retry} />}
      <div className={styles.bar}>
        <Resumed {...{ point, media, playing }} />
        <Controls
          {...{ media, playing, fullScreen, captions, isVideo }}
          sources={sources ?? []}
          chosen={source.chosen}
          choose={source.choose}
          onHelp={help.open}
        />
      </div>
      {help.isOpen && <KeyHelp {...{ isVideo, ...help }} hasCaptions={captions !== undefined} />}
    </section>
  )
}

/** Returns the aspect ratio that reserves the space before the file loads. Audio gets 16:9. */
function ratioOf({ width, height }: Media, isVideo: boolean): string {
  return isVideo && width && height ? `${width} / ${height}` : '16 / 9'
}

/** Stores whether the shortcut list is open and whether shortcuts are on. */
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
      keepSettings({ usesKeys: wanted })
    },
  }
}
