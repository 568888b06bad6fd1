import { memo } from 'react'
import type { Content } from '#sdk'
import { savesData } from '../device/wishes.ts'
import { Actions } from './Actions.tsx'
import { Caption } from './Caption.tsx'
import { Clip } from './Clip.tsx'
import { Cover } from './Cover.tsx'
import { Pictures } from './Pictures.tsx'
import styles from './Slide.module.css'
import type { Sound } from './sound.ts'

interface Props {
  content: Content
  /** Slides from here to the one that is seen; 0 for that itself. */
  distance: number
  sound: Sound
  isCommenting: boolean
  onComment: () => void
}

/** A work that fills the screen. Those that are not next to the one seen are empty boxes. */
export const Slide = memo(function Slide(props: Props) {
  const { content, distance } = props
  const isShown = distance === 0
  const isNear = Math.abs(distance) <= 1
  return (
    <article
      tabIndex={-1}
      className={styles.slide}
      inert={!isShown}
      aria-labelledby={isNear ? `${content.id}-title` : undefined}
    >
      {isNear && (
        <>
          <div className={styles.box}>
            <Shown {...props} />
          </div>
          <Caption content={content} isBrief={!hasMedia(content)} />
          <Actions {...props} />
        </>
      )}
    </article>
  )
}, isSame)

function isSame(before: Props, now: Props): boolean {
  const wasFar = Math.abs(before.distance) > 1
  const isFar = Math.abs(now.distance) > 1
  if (wasFar && isFar) return before.content.id === now.content.id
  return (
    before.content === now.content &&
    before.distance === now.distance &&
    before.sound.isOn === now.sound.isOn &&
    before.isCommenting === now.isCommenting
  )
}

function hasMedia({ media }: Content): boolean {
  return media.some(({ mime_type }) => /^(image|video)\//.test(mime_type))
}

/** As its media are looked at; a work without any as a card. */
function Shown({ content, distance, sound }: Props) {
  const [medium] = content.media
  const isShown = distance === 0
  // Who saves data sees nothing of the next work before they are there.
  const mayLoad = isShown || !savesData()
  if (medium?.mime_type.startsWith('video/')) {
    return <Clip {...{ content, medium, isShown, mayLoad, sound }} />
  }
  const pictures = content.media.filter(({ mime_type }) => mime_type.startsWith('image/'))
  if (pictures.length > 0) return <Pictures {...{ content, pictures, isShown, mayLoad }} />
  return <Cover content={content} />
}
