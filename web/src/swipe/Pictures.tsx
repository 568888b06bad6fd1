import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { Content, Media } from '#sdk'
import { useKeys } from '../contents/keys.ts'
import { useTexts } from '../language/texts.ts'
import { fitOf } from './fit.ts'
import styles from './Pictures.module.css'
import { texts } from './texts.ts'

interface Props {
  content: Content
  pictures: readonly Media[]
  isShown: boolean
  mayLoad: boolean
}

/** Pictures of a work, one at a time. */
export function Pictures({ content: { title }, pictures, isShown, mayLoad }: Props) {
  const t = useTexts(texts)
  const [at, setAt] = useState(0)
  const all = pictures.length
  const go = (steps: number) => setAt(Math.min(Math.max(at + steps, 0), all - 1))
  useKeys((key) => {
    if (!isShown || all < 2 || (key !== 'ArrowLeft' && key !== 'ArrowRight')) return false
    go(key === 'ArrowLeft' ? -1 : 1)
    return true
  })
  const picture = pictures[at]
  if (!picture) return null
  return (
    <>
      {mayLoad && (
        <img
          key={picture.upload_id}
          className={styles.picture}
          style={{ objectFit: fitOf(picture) }}
          src={picture.url}
          alt={all > 1 ? t.picture(title, at + 1, all) : title}
          decoding="async"
        />
      )}
      {all > 1 && <Turns {...{ pictures, at, go }} />}
    </>
  )
}

interface TurnsProps {
  pictures: readonly Media[]
  at: number
  go: (steps: number) => void
}

/** To the pictures before and after, and which of them it is. */
function Turns({ pictures, at, go }: TurnsProps) {
  const t = useTexts(texts)
  return (
    <>
      {at > 0 && (
        <button
          type="button"
          className={`${styles.turn} ${styles.before}`}
          aria-label={t.previousPicture}
          onClick={() => go(-1)}
        >
          <ChevronLeft aria-hidden="true" />
        </button>
      )}
      {at < pictures.length - 1 && (
        <button
          type="button"
          className={`${styles.turn} ${styles.after}`}
          aria-label={t.nextPicture}
          onClick={() => go(1)}
        >
          <ChevronRight aria-hidden="true" />
        </button>
      )}
      <p className={styles.dots} role="status">
        <span className="unseen">{t.pictureOf(at + 1, pictures.length)}</span>
        {pictures.map(({ upload_id }, place) => (
          <span key={upload_id} className={styles.dot} data-shown={place === at || undefined} />
        ))}
      </p>
    </>
  )
}
