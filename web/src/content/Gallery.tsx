import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { Media } from '#sdk'
import { Corner } from '../contents/Thumbnail.tsx'
import { useKeys } from '../contents/keys.ts'
import { useTexts } from '../language/texts.ts'
import styles from './Gallery.module.css'
import { texts } from './texts.ts'

interface Props {
  title: string
  pictures: readonly Media[]
}

export function Gallery({ title, pictures }: Props) {
  const t = useTexts(texts)
  const [at, setAt] = useState(0)
  const all = pictures.length
  const go = (steps: number) => setAt((at + steps + all) % all)
  useKeys((key) => {
    if (all < 2 || (key !== 'ArrowLeft' && key !== 'ArrowRight')) return false
    go(key === 'ArrowLeft' ? -1 : 1)
    return true
  })
  const picture = pictures[at]
  if (!picture) return null
  const alt = all > 1 ? t.picture(title, at + 1, all) : title
  return (
    <section className={styles.gallery} aria-label={t.pictures}>
      <div className={styles.stage} style={{ aspectRatio: ratioOf(pictures[0]) }}>
        <img key={picture.upload_id} src={picture.url ?? undefined} alt={alt} decoding="async" />
        {all > 1 && (
          <>
            <button
              type="button"
              className={styles.previous}
              aria-label={t.previousPicture}
              onClick={() => go(-1)}
            >
              <ChevronLeft />
            </button>
            <button
              type="button"
              className={styles.next}
              aria-label={t.nextPicture}
              onClick={() => go(1)}
            >
              <ChevronRight />
            </button>
            <span aria-live="polite">
              <Corner>
                <span aria-hidden="true">
                  {at + 1} / {all}
                </span>
                <span className="unseen">{t.pictureOf(at + 1, all)}</span>
              </Corner>
            </span>
          </>
        )}
      </div>
      {all > 1 && <Thumbnails {...{ pictures, at, setAt }} />}
    </section>
  )
}

function ratioOf(picture: Media | undefined): string {
  return picture?.width && picture.height ? `${picture.width} / ${picture.height}` : '4 / 3'
}

interface ThumbnailsProps {
  pictures: readonly Media[]
  at: number
  setAt: (at: number) => void
}

function Thumbnails({ pictures, at, setAt }: ThumbnailsProps) {
  const t = useTexts(texts)
  return (
    <ol className={styles.thumbnails}>
      {pictures.map(({ upload_id, url }, place) => (
        <li key={upload_id}>
          <button
            type="button"
            className={styles.thumbnail}
            aria-label={t.pictureOf(place + 1, pictures.length)}
            aria-current={place === at || undefined}
            onClick={() => setAt(place)}
          >
            <img src={url ?? undefined} alt="" loading="lazy" decoding="async" />
          </button>
        </li>
      ))}
    </ol>
  )
}
