import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import type { Conversion, Media } from '#sdk'
import { Player } from '../contents/player/Player.tsx'
import { sourcesOf } from '../contents/player/sources.ts'
import { recommendationsQuery } from '../contents/queries.ts'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import styles from './Gallery.module.css'
import { texts } from './texts.ts'

interface Props {
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

export function Playlist({ id, startsAtOnce: isAsked, files, renditions, ...named }: Props) {
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
