import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { Media } from '#sdk'
import { Corner } from '../contents/Card.tsx'
import { useKeys } from '../contents/keys.ts'
import { useTexts } from '../language/texts.ts'
import { lazyPart } from '../device/connected.ts'
import { containedIn, pictureSources } from '../ui/sources.ts'
import styles from './Gallery.module.css'
import { texts } from './texts.ts'

const Lightbox = lazyPart(() => import('./Lightbox.tsx'), 'Lightbox')

export function Gallery({ title, pictures }: { title: string; pictures: readonly Media[] }) {
  const t = useTexts(texts)
  const [index, setIndex] = useState(0)
  const [isLarge, setIsLarge] = useState(false)
  const count = pictures.length
  const go = (steps: number) => setIndex((index + steps + count) % count)
  useKeys((key) => {
    if (count < 2 || (key !== 'ArrowLeft' && key !== 'ArrowRight')) return false
    go(key === 'ArrowLeft' ? -1 : 1)
    return true
  })
  const picture = pictures[index]
  if (!picture) return null
  const turns = (
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
    </>
  )
  const alt = count > 1 ? t.picture(title, index + 1, count) : title
  return (
    <section className={styles.gallery} aria-label={t.pictures}>
      <div className={styles.stage} style={{ aspectRatio: ratioOf(pictures[0]) }}>
        <button
          type="button"
          className={styles.enlarge}
          aria-label={t.enlarge(alt)}
          aria-haspopup="dialog"
          onClick={() => void Lightbox.preload().then(() => setIsLarge(true))}
        >
          <img
            key={picture.upload_id}
            fetchPriority="high"
            srcSet={pictureSources(picture)}
            sizes={containedIn(picture, 'min(100vw, 60rem)', '80vh')}
            src={picture.url ?? undefined}
            alt={alt}
            width={picture.width ?? undefined}
            height={picture.height ?? undefined}
            decoding="async"
          />
        </button>
        {count > 1 && (
          <>
            {turns}
            <span aria-live="polite">
              <Corner>
                <span aria-hidden="true">
                  {index + 1} / {count}
                </span>
                <span className="unseen">{t.pictureOf(index + 1, count)}</span>
              </Corner>
            </span>
          </>
        )}
      </div>
      {count > 1 && <Thumbnails {...{ pictures, index, setIndex }} />}
      {isLarge && (
        <Suspense>
          <Lightbox
            picture={picture}
            alt={alt}
            go={count > 1 ? go : undefined}
            close={() => setIsLarge(false)}
          >
            {turns}
          </Lightbox>
        </Suspense>
      )}
    </section>
  )
}

function ratioOf(picture: Media | undefined): string {
  return picture?.width && picture.height ? `${picture.width} / ${picture.height}` : '4 / 3'
}

interface ThumbnailsProps {
  pictures: readonly Media[]
  index: number
  setIndex: (index: number) => void
}

function Thumbnails({ pictures, index, setIndex }: ThumbnailsProps) {
  const t = useTexts(texts)
  return (
    <ol className={styles.thumbnails}>
      {pictures.map((picture, place) => (
        <li key={picture.upload_id}>
          <button
            type="button"
            className={styles.thumbnail}
            aria-label={t.pictureOf(place + 1, pictures.length)}
            aria-current={place === index || undefined}
            onClick={() => setIndex(place)}
          >
            <img
              className="crop"
              srcSet={pictureSources(picture, 4 / 3)}
              sizes="88px"
              src={picture.url ?? undefined}
              alt=""
              loading="lazy"
              decoding="async"
            />
          </button>
        </li>
      ))}
    </ol>
  )
}
