import { Link } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import type { Content } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Badge } from '../ui/Badge.tsx'
import styles from './Card.module.css'
import { CardText } from './CardText.tsx'
import { Facts } from './Facts.tsx'
import { texts } from './texts.ts'
import { Thumbnail } from './Thumbnail.tsx'

interface Props extends Pick<ComponentProps<typeof Thumbnail>, 'isFirst' | 'cover'> {
  content: Content
  /** Hides the creator, for lists on the creator's own page. */
  hidesCreator?: boolean
  /** For the viewer's own content: shows the status instead of the creator, and links to the editor. */
  isOwn?: boolean
}

/** Card of a content item in a grid. Archived content links to its page, because it cannot be edited. */
export function Card({ content, hidesCreator, isOwn = false, ...picture }: Props) {
  const t = useTexts(texts)
  const { creator } = content
  const showsCreator = !hidesCreator && !isOwn
  const isEdited = isOwn && content.status !== 'archived'
  return (
    <article className={styles.card}>
      <Thumbnail content={content} {...picture} />
      <div className={styles.text}>
        {showsCreator && <Avatar person={creator} size={32} />}
        <CardText content={content} edits={isEdited}>
          {showsCreator && (
            <Link
              to="/creators/$handle"
              params={{ handle: creator.handle }}
              className={styles.creator}
            >
              {creator.display_name}
            </Link>
          )}
          <Facts content={content} />
          {isOwn && (
            <p>
              <Badge tone={content.status === 'published' ? 'good' : 'plain'}>
                {t.status[content.status as keyof typeof t.status] ?? content.status}
              </Badge>
            </p>
          )}
        </CardText>
      </div>
    </article>
  )
}
