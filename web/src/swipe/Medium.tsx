import type { Content, Media } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { Clip } from './Clip.tsx'
import { fitOf } from './fit.ts'
import styles from './Medium.module.css'
import type { Sound } from './sound.ts'
import { texts } from './texts.ts'

interface Props {
  content: Content
  medium: Media
  /** Index in the content's media. */
  place: number
  all: number
  isShown: boolean
  mayLoad: boolean
  sound: Sound
}

/** Video or picture, scaled to the size of the slide. */
export function Medium({ place, all, ...props }: Props) {
  const t = useTexts(texts)
  const { content, medium, mayLoad } = props
  if (medium.mime_type.startsWith('video/')) {
    return <Clip {...props} isFirst={place === 0} isOnly={all === 1} />
  }
  if (!mayLoad) return null
  const { title } = content
  return (
    <img
      className={styles.medium}
      style={{ objectFit: fitOf(medium) }}
      src={medium.url}
      alt={all > 1 ? t.page(title, place + 1, all) : title}
      decoding="async"
    />
  )
}
