import type { ReactNode } from 'react'
import type { Content } from '#sdk'
import { Card } from '../contents/Card.tsx'
import { useTexts } from '../language/texts.ts'
import { useViewer } from '../session/viewer.ts'
import { Panel } from '../ui/Panel.tsx'
import styles from './Publish.module.css'
import type { ContentValues } from './content.ts'
import type { Category, ContentType } from './kinds.ts'
import { texts } from './texts.ts'

interface Props {
  values: ContentValues
  type: ContentType
  category: Category
  picture?: string | null
  cover?: ReactNode
}

/** Shows how the content's card will look. The card is inert, because its links have no targets yet. */
export function Preview({ values, type, category, picture = null, cover }: Props) {
  const t = useTexts(texts)
  const viewer = useViewer()
  if (!viewer) return null
  const now = new Date().toISOString()
  const content: Content = {
    id: 'preview',
    category,
    type,
    title: values.title.trim() || t.untitled,
    description: values.description,
    tags: [...values.tags],
    status: 'draft',
    visibility: 'public',
    publish_at: null,
    rating: 'everyone',
    rating_locked: false,
    warnings: [],
    warning_text: null,
    embedding: 'everywhere',
    moderation: null,
    comment_policy: 'everyone',
    pinned_comment_id: null,
    creator: viewer,
    media: [],
    thumbnail_url: picture,
    thumbnail_sizes: [],
    game: null,
    like_count: 0,
    bookmark_count: 0,
    comment_count: 0,
    view_count: 0,
    play_count: 0,
    is_liked: false,
    is_bookmarked: false,
    published_at: null,
    created_at: now,
    updated_at: now,
  }
  return (
    <Panel title={t.preview}>
      <div inert className={styles.preview}>
        <Card content={content} cover={cover} />
      </div>
    </Panel>
  )
}
