import { BookOpen, Gamepad2, Headphones, Image, Play } from 'lucide-react'
import type { Content } from '#sdk'
import { useLangOf } from '../language/look.ts'
import { defineTexts, useTexts } from '../language/texts.ts'
import { LinkButton } from '../ui/Button.tsx'
import { Skeleton } from '../ui/Loading.tsx'
import { Time } from '../ui/Time.tsx'
import { Avatar, UserLink } from '../ui/User.tsx'
import { CoverLink, Seen, Thumbnail } from './Card.tsx'
import styles from './contents.module.css'
import { texts as contentTexts } from './texts.ts'

const texts = defineTexts({
  watch: ['보러 가기', 'Watch'],
  look: ['보러 가기', 'View'],
  listen: ['들으러 가기', 'Listen'],
  read: ['읽으러 가기', 'Read'],
  play: ['플레이하기', 'Play'],
})

const WAYS = {
  video: { Icon: Play, name: 'watch' },
  image: { Icon: Image, name: 'look' },
  audio: { Icon: Headphones, name: 'listen' },
  article: { Icon: BookOpen, name: 'read' },
  game: { Icon: Gamepad2, name: 'play' },
} as const

interface Props {
  content: Content
  /** Text above the title that says why the content is shown first. */
  label: string
  hidesCreator?: boolean
}

const WIDTH = '(max-width: 64rem) 100vw, 54rem'

/** Large card of the first content of a page, with the picture beside the text. */
export function Lead({ content, label, hidesCreator = false }: Props) {
  const t = useTexts(texts)
  const words = useTexts(contentTexts)
  const { id, category, type, description, creator, published_at, created_at } = content
  const { Icon, name } = WAYS[type as keyof typeof WAYS] ?? WAYS.image
  // True when the cover already shows the description. Screen readers skip the cover, so the text remains for them.
  const isOnCover = type === 'article' && content.thumbnail_url === null
  const lang = useLangOf(description ?? '')
  return (
    <article className={styles.lead}>
      <Thumbnail content={content} width={WIDTH} isFirst />
      <div className={styles.leadText}>
        <p className={styles.leadLabel} data-category={category}>
          {label}
        </p>
        <h2 className={styles.leadTitle}>
          <CoverLink content={content} />
        </h2>
        {description && (
          <p className={isOnCover ? 'unseen' : styles.leadDescription} lang={lang}>
            {description}
          </p>
        )}
        {!hidesCreator && (
          <UserLink handle={creator.handle} className={styles.leadCreator}>
            <Avatar user={creator} size={32} />
            <span className={styles.leadName}>{creator.display_name}</span>
          </UserLink>
        )}
        <p className="fine dotted">
          <span>{words.type[type as keyof typeof words.type] ?? type}</span>
          <span>
            <Seen content={content} />
          </span>
          <span>{words.likes(content.like_count)}</span>
          <Time time={published_at ?? created_at} />
        </p>
        <div className={styles.go}>
          <LinkButton look="primary" to="/contents/$id" params={{ id }} icon={<Icon />}>
            {t[name]}
          </LinkButton>
        </div>
      </div>
    </article>
  )
}

export function LeadSkeleton() {
  return (
    <div className={styles.lead} aria-hidden="true">
      <Skeleton ratio="16 / 9" />
      <div className={styles.leadText}>
        <Skeleton width="40%" height="20px" />
        <Skeleton width="90%" height="40px" />
        <Skeleton width="70%" height="24px" />
      </div>
    </div>
  )
}
