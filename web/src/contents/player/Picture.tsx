import { Music } from 'lucide-react'
import type { Media } from '#sdk'
import type { useIdle } from './idle.ts'
import styles from './Player.module.css'

interface Props {
  title: string
  poster: string | null
  isVideo: boolean
  url: string | undefined
  captions: readonly Media[]
  setMedia: (media: HTMLMediaElement | null) => void
  idle: ReturnType<typeof useIdle>
  toggle: () => void
  onEnded: (() => void) | undefined
  onDoubleClick: () => void
}

/** Renders the video element, or the audio element with its cover picture. */
export function Picture(props: Props) {
  const { title, poster, isVideo, url, setMedia, idle, toggle, onEnded } = props
  const element = { ref: setMedia, src: url, preload: 'metadata', 'aria-label': title, onEnded }
  const tracks = props.captions.map((track) => (
    <track key={track.upload_id} kind="captions" src={track.url} />
  ))
  if (isVideo) {
    return (
      <video
        {...element}
        className={styles.media}
        poster={poster ?? undefined}
        playsInline
        onClick={() => !idle.wasWoken() && toggle()}
        onDoubleClick={props.onDoubleClick}
      >
        {tracks}
      </video>
    )
  }
  return (
    <>
      {poster ? (
        <img className={styles.media} src={poster} alt="" />
      ) : (
        <span className={styles.cover}>
          <Music aria-hidden="true" />
        </span>
      )}
      <audio {...element}>{tracks}</audio>
    </>
  )
}
