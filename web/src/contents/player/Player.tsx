import { BufferingIndicator, Container, Controls, Gesture, PlayButton } from '@videojs/react'
import { Audio } from '@videojs/react/audio'
import { Video } from '@videojs/react/video'
import { Music, Play } from 'lucide-react'
import { useState } from 'react'
import type { Media } from '#sdk'
import { useFormats } from '../../language/formats.ts'
import { useTexts } from '../../language/texts.ts'
import { Button, Spinner } from '../../ui/Button.tsx'
import { Bar } from './Bar.tsx'
import { KeyHelp } from './KeyHelp.tsx'
import styles from './Player.module.css'
import {
  PlayerStore,
  useNowPlaying,
  usePlayer,
  usePlayerKeys,
  useResuming,
  useVolume,
} from './behaviour.ts'
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
  /** True after the previous file has ended, or when the viewer has chosen this file. */
  startsAtOnce?: boolean
  onEnded?: (() => void) | undefined
}

export function Player(props: Props) {
  return (
    <PlayerStore>
      <Surface {...props} />
    </PlayerStore>
  )
}

function Surface(props: Props) {
  const { title, medium, sources, startsAtOnce = false } = props
  const t = useTexts(texts)
  const [media, setMedia] = useState<HTMLMediaElement | null>(null)
  const point = useResuming(media, medium.upload_id)
  const source = useSource(media, sources, { time: point, isPlaying: startsAtOnce })
  const isVideo = medium.mime_type.startsWith('video/')
  const help = useHelp()
  const isAtRest = usePlayer(
    ({ paused, currentTime }) => paused && (currentTime === 0 || currentTime === point),
  )
  usePlayerKeys(isVideo, help)
  useVolume(media)
  useNowPlaying(props)
  return (
    <Container
      className={styles.player}
      style={{ aspectRatio: ratioOf(medium, isVideo) }}
      role="region"
      tabIndex={-1}
      aria-label={t.player(title)}
    >
      <Picture {...props} {...{ isVideo, setMedia }} url={source.chosen?.url} />
      {isAtRest && !source.hasFailed && (
        <PlayButton className={styles.start} label={t.play} disabled={!source.chosen}>
          <Play />
        </PlayButton>
      )}
      <BufferingIndicator
        className={styles.state}
        role="status"
        render={(given, { visible }) => <div {...given}>{visible && <Waiting />}</div>}
      />
      {source.hasFailed && <Failure retry={source.retry} />}
      <Controls.Root visibility={isVideo ? 'auto' : 'always'}>
        <Controls.Content className={styles.bar}>
          <Resumed point={point} />
          <Bar
            isVideo={isVideo}
            sources={sources ?? []}
            chosen={source.chosen}
            choose={source.choose}
            onHelp={help.open}
          />
        </Controls.Content>
      </Controls.Root>
      {help.isOpen && <KeyHelp {...{ isVideo, ...help }} hasCaptions={props.captions.length > 0} />}
    </Container>
  )
}

/** Aspect ratio that reserves the space before the file loads. */
function ratioOf({ width, height }: Media, isVideo: boolean): string {
  return isVideo && width && height ? `${width} / ${height}` : '16 / 9'
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
      </>
    )
  }
  return (
    <>
      {poster ? (
        <img className={styles.media} src={poster} alt="" />
      ) : (
        <Music className={styles.cover} />
      )}
      <Audio {...element}>{tracks}</Audio>
    </>
  )
}

function Waiting() {
  const t = useTexts(texts)
  return (
    <>
      <Spinner />
      <span className="unseen">{t.loading}</span>
    </>
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
