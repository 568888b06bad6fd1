import { useMemo, useState } from 'react'
import type { Conversion, Media } from '#sdk'
import { Player } from '../contents/player/Player.tsx'
import { sourcesOf } from '../contents/player/sources.ts'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import styles from './Gallery.module.css'
import { texts } from './texts.ts'

interface Props {
  title: string
  artist: string
  poster: string | null
  files: readonly Media[]
  captions: readonly Media[]
  /** Converted versions of the files. Undefined while they load. */
  renditions: Conversion['renditions'] | undefined
}

export function Playlist({ files, renditions, ...named }: Props) {
  const t = useTexts(texts)
  const formats = useFormats()
  const [{ at, startsAtOnce }, setShown] = useState({ at: 0, startsAtOnce: false })
  const medium = files[at] as Media
  const sources = useMemo(
    () => renditions && sourcesOf(medium, renditions, files.length === 1),
    [medium, renditions, files.length],
  )
  const hasNext = at + 1 < files.length
  return (
    <>
      <Player
        key={medium.upload_id}
        {...named}
        medium={medium}
        sources={sources}
        startsAtOnce={startsAtOnce}
        onEnded={hasNext ? () => setShown({ at: at + 1, startsAtOnce: true }) : undefined}
      />
      {files.length > 1 && (
        <ol className={styles.parts} aria-label={t.parts}>
          {files.map(({ upload_id, duration_ms }, place) => (
            <li key={upload_id}>
              <button
                type="button"
                className={styles.part}
                aria-current={place === at || undefined}
                onClick={() => setShown({ at: place, startsAtOnce: true })}
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
