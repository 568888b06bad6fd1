import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Content } from '#sdk'
import { FollowButton } from '../creators/FollowButton.tsx'
import { useTexts } from '../language/texts.ts'
import { Avatar } from '../ui/Avatar.tsx'
import styles from './Caption.module.css'
import { texts } from './texts.ts'

/** Approximate number of characters in two lines. Longer descriptions are expandable. */
const SHORT = 60

/** Shows creator, title, description and tags of a slide. With `isBrief`, the description is hidden. */
export function Caption({ content, isBrief }: { content: Content; isBrief: boolean }) {
  const { id, title, description, tags, creator } = content
  return (
    <div className={styles.caption}>
      <div className={styles.creator}>
        <Link to="/creators/$handle" params={{ handle: creator.handle }} className={styles.name}>
          <Avatar person={creator} size={36} />
          <span>{creator.display_name}</span>
        </Link>
        <FollowButton handle={creator.handle} />
      </div>
      <h2 id={`${id}-title`} className={styles.title}>
        <Link to="/contents/$id" params={{ id }}>
          {title}
        </Link>
      </h2>
      {description && !isBrief && <Description text={description} />}
      {tags.length > 0 && (
        <ul className={styles.tags}>
          {tags.map((tag) => (
            <li key={tag}>
              <Link to="/tags/$tag" params={{ tag }}>
                #{tag}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Shows two lines of the description. The viewer can expand it. */
function Description({ text }: { text: string }) {
  const t = useTexts(texts)
  const [isOpen, setIsOpen] = useState(false)
  const isLong = text.length > SHORT || text.includes('\n')
  return (
    <>
      <p
        className={styles.description}
        data-open={isOpen || undefined}
        data-scrolls={isOpen || undefined}
        // Makes the scrolling text reachable by keyboard.
        tabIndex={isOpen ? 0 : undefined}
      >
        {text}
      </p>
      {isLong && (
        <button
          type="button"
          className={styles.more}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? t.less : t.more}
        </button>
      )}
    </>
  )
}
