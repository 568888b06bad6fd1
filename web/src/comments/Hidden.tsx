import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTexts } from '../language/texts.ts'
import { Entries } from '../lists/Entries.tsx'
import { Button } from '../ui/Button.tsx'
import { CommentsSkeleton } from './Thread.tsx'
import { useUnhide } from './acts.tsx'
import styles from './Comments.module.css'
import { hiddenQuery } from './queries.ts'
import { texts } from './texts.ts'

/** Comments that the viewer hid on their own content. They load when the viewer expands the list. */
export function HiddenComments({ contentId }: { contentId: string }) {
  const t = useTexts(texts)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details
      className={styles.hidden}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary className="fine bold">{t.hiddenComments}</summary>
      {isOpen && <List contentId={contentId} />}
    </details>
  )
}

function List({ contentId }: { contentId: string }) {
  const t = useTexts(texts)
  const query = useInfiniteQuery(hiddenQuery(contentId))
  const { mutate, isPending, variables } = useUnhide(contentId)
  return (
    <Entries
      query={query}
      target={({ comments }) => comments}
      skeleton={<CommentsSkeleton count={1} />}
      empty={<p className="fine">{t.noneHidden}</p>}
    >
      {(comments) => (
        <ul className={styles.hiddenList}>
          {comments.map(({ id, author, body }) => (
            <li key={id}>
              <p className={styles.body}>
                <strong>{author?.display_name}</strong> {body}
              </p>
              <Button size="small" busy={isPending && variables === id} onClick={() => mutate(id)}>
                {t.unhide}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Entries>
  )
}
