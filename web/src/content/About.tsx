import { Link } from '@tanstack/react-router'
import { Pencil } from 'lucide-react'
import type { ContentDetail } from '#sdk'
import { Toggles } from '../contents/Toggles.tsx'
import { Facts } from '../contents/Facts.tsx'
import { FollowButton } from '../creators/FollowButton.tsx'
import { useLangOf } from '../language/script.ts'
import { useTexts } from '../language/texts.ts'
import { useViewer } from '../session/viewer.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { LinkButton } from '../ui/Button.tsx'
import styles from './About.module.css'
import { Description } from './Description.tsx'
import { Share } from './Share.tsx'
import { texts } from './texts.ts'

/** Header of the content page: title, creator and action buttons. */
export function Heading({ content }: { content: ContentDetail }) {
  const { id, title, creator, status } = content
  const t = useTexts(texts)
  const viewer = useViewer()
  return (
    <div className={styles.heading}>
      <h1 className={styles.title} lang={useLangOf(title)}>
        {title}
      </h1>
      <div className={styles.row}>
        <div className={styles.creator}>
          <Link
            to="/creators/$handle"
            params={{ handle: creator.handle }}
            className={styles.person}
          >
            <Avatar person={creator} size={40} />
            <span className={styles.names}>
              <span className={styles.name}>{creator.display_name}</span>
              <span className={styles.handle}>@{creator.handle}</span>
            </span>
          </Link>
          <FollowButton handle={creator.handle} />
        </div>
        <div className={styles.actions}>
          {status === 'published' && (
            <>
              <Toggles content={content} className={styles.toggles} />
              <Share content={content} />
            </>
          )}
          {viewer?.id === creator.id && (
            <LinkButton
              size="small"
              to="/publish/$id"
              params={{ id }}
              icon={<Pencil aria-hidden="true" />}
            >
              {t.edit}
            </LinkButton>
          )}
        </div>
      </div>
    </div>
  )
}

/** Statistics, description and tags on the content page. */
export function Details({ content }: { content: ContentDetail }) {
  return (
    <div className={styles.box}>
      <Facts content={content} isExact />
      {content.description && <Description text={content.description} />}
      <Tags tags={content.tags} />
    </div>
  )
}

function Tags({ tags }: { tags: readonly string[] }) {
  const t = useTexts(texts)
  if (tags.length === 0) return null
  return (
    <ul className={styles.tags} aria-label={t.tags}>
      {tags.map((tag) => (
        <li key={tag}>
          <Link to="/tags/$tag" params={{ tag }} className={styles.tag}>
            #{tag}
          </Link>
        </li>
      ))}
    </ul>
  )
}
