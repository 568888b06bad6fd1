import { memo } from 'react'
import type { Content, Media } from '#sdk'
import { savesData } from '../device/wishes.ts'
import { Actions } from './Actions.tsx'
import { Caption } from './Caption.tsx'
import { Cover } from './Cover.tsx'
import { Medium } from './Medium.tsx'
import { Pages } from './Pages.tsx'
import styles from './Slide.module.css'
import type { Sound } from './sound.ts'

interface Props {
  content: Content
  /** Number of slides between this one and the visible one, for which it is 0. */
  distance: number
  sound: Sound
  isCommenting: boolean
  onComment: () => void
}

/** Slide that fills the screen. Only the visible slide and its neighbours are rendered. */
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
            <Backdrop content={content} />
            <Shown {...props} />
          </div>
          <Caption content={content} isBrief={seenOf(content).length === 0} />
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

/** Blurred thumbnail in the background. */
function Backdrop({ content: { thumbnail_url } }: { content: Content }) {
  return thumbnail_url && <img className={styles.backdrop} src={thumbnail_url} alt="" />
}

/** Returns the pictures and videos of the content, in order. */
function seenOf({ media }: Content): Media[] {
  return media.filter(({ mime_type }) => /^(image|video)\//.test(mime_type))
}

/** Shows the content's pictures and videos, or a card when it has none. */
function Shown({ content, distance, sound }: Props) {
  const media = seenOf(content)
  const all = media.length
  const draw = (medium: Media, pages: number) => (
    <Medium
      {...{ content, medium, all, sound }}
      place={media.indexOf(medium)}
      isShown={distance === 0 && pages === 0}
      // If the user saves data, only the visible page loads.
      mayLoad={(distance === 0 && pages === 0) || !savesData()}
    />
  )
  const [medium] = media
  if (!medium) return <Cover content={content} />
  if (all === 1) return draw(medium, 0)
  return (
    <Pages id={content.id} title={content.title} media={media} isShown={distance === 0}>
      {draw}
    </Pages>
  )
}
