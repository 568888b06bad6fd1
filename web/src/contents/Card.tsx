import { Link } from '@tanstack/react-router'
import { FileText, Gamepad2, Image, Music, Play } from 'lucide-react'
import type { Content } from '#sdk'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Badge } from '../ui/Badge.tsx'
import styles from './Card.module.css'
import { Facts } from './Facts.tsx'
import { texts } from './texts.ts'

const ICONS = { video: Play, image: Image, audio: Music, article: FileText, game: Gamepad2 }

interface Props {
  content: Content
  /** Leaves out whose it is, on their own pages. */
  hidesCreator?: boolean
  /** In one's own lists: without the creator, with its status, leading to where it is edited. */
  isOwn?: boolean
}

/** A work in a grid. An archived one can only be looked at. */
export function Card({ content, hidesCreator, isOwn = false }: Props) {
  const t = useTexts(texts)
  const { id, title, creator } = content
  const showsCreator = !hidesCreator && !isOwn
  const isEdited = isOwn && content.status !== 'archived'
  return (
    <article className={styles.card}>
      <Thumbnail content={content} />
      <div className={styles.text}>
        {showsCreator && <Avatar person={creator} size={32} />}
        <div className={styles.lines}>
          <h3 className={styles.title}>
            <Link
              to={isEdited ? '/publish/$id' : '/contents/$id'}
              params={{ id }}
              className={styles.link}
            >
              {title}
            </Link>
          </h3>
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
        </div>
      </div>
    </article>
  )
}

/** The picture of a work; where it has none, what kind it is. Takes its room before it is here. */
function Thumbnail({ content: { type, thumbnail_url, media } }: { content: Content }) {
  const formats = useFormats()
  const Icon = ICONS[type as keyof typeof ICONS] ?? FileText
  const duration = media[0]?.duration_ms
  return (
    <div className={styles.picture} data-type={type}>
      {thumbnail_url ? (
        <img src={thumbnail_url} alt="" loading="lazy" decoding="async" />
      ) : (
        <Icon aria-hidden="true" />
      )}
      {duration != null && <span className={styles.duration}>{formats.duration(duration)}</span>}
    </div>
  )
}
