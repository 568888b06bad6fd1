import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { MessageCircle } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { contentQuery } from '../contents/queries.ts'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { Entries } from '../lists/Entries.tsx'
import { entriesOf } from '../lists/paging.ts'
import { useViewer } from '../session/viewer.ts'
import { Button } from '../ui/Button.tsx'
import { Empty, Problem } from '../ui/Problem.tsx'
import choices from '../ui/Tabs.module.css'
import { CreatorId, useSending, useUnhide } from './acts.tsx'
import styles from './Comments.module.css'
import { WriteBox } from './Composer.tsx'
import { hiddenQuery, linkedQuery, type Order, topQuery } from './queries.ts'
import { texts } from './texts.ts'
import { CommentsSkeleton, Outgoing, Thread } from './Thread.tsx'

export function Comments({ contentId }: { contentId: string }) {
  const t = useTexts(texts)
  const formats = useFormats()
  const viewer = useViewer()
  const [sort, setSort] = useState<Order>('newest')
  const section = useRef<HTMLElement>(null)
  useArrival(section)
  // Only reads the cache. The content page sends the request.
  const { data: content } = useQuery({ ...contentQuery(contentId), enabled: false })
  const count = content?.comment_count
  return (
    <section
      ref={section}
      id="comments"
      tabIndex={-1}
      className={styles.comments}
      aria-labelledby="comments-title"
    >
      <header className={styles.head}>
        <h2 id="comments-title">{count ? t.counted(count, formats.number(count)) : t.title}</h2>
        <Sort sort={sort} onSort={setSort} />
      </header>
      {content?.comment_policy === 'closed' ? (
        <p className="fine">{t.closed}</p>
      ) : (
        <WriteBox contentId={contentId} />
      )}
      {content?.comment_policy === 'followers' && <p className="fine">{t.followersOnly}</p>}
      <CreatorId.Provider value={content?.creator.id}>
        <List contentId={contentId} sort={sort} />
      </CreatorId.Provider>
      {viewer && viewer.id === content?.creator.id && <HiddenComments contentId={contentId} />}
    </section>
  )
}

function useArrival(section: { current: HTMLElement | null }): void {
  const hasTarget = useLocation({ select: ({ hash }) => hash === 'comments' })
  useEffect(() => {
    if (!hasTarget) return
    section.current?.scrollIntoView()
    section.current?.focus({ preventScroll: true })
  }, [hasTarget, section])
}

function Sort({ sort, onSort }: { sort: Order; onSort: (sort: Order) => void }) {
  const t = useTexts(texts)
  return (
    <div className={choices.choices} role="group" aria-label={t.sort}>
      {(['top', 'newest', 'oldest'] as const).map((order) => (
        <button
          key={order}
          type="button"
          aria-pressed={sort === order}
          onClick={() => onSort(order)}
        >
          {t[order]}
        </button>
      ))}
    </div>
  )
}

function List({ contentId, sort }: { contentId: string; sort: Order }) {
  const t = useTexts(texts)
  const query = useInfiniteQuery(topQuery(contentId, sort))
  const sending = useSending(contentId, null)
  const linked = useLinked(contentId)
  const comments = entriesOf(query.data?.pages, (page) => page.comments)
  const pinned = query.data?.pages[0]?.pinned_comment
  const isEmpty = query.isSuccess && comments.length === 0 && sending.length === 0
  return (
    <>
      <LinkedThread {...linked} />
      {isEmpty && (
        <Empty icon={<MessageCircle />} title={t.none} level={3}>
          {t.noneHelp}
        </Empty>
      )}
      <ul className={styles.list}>
        {pinned && pinned.id !== linked.data?.root.id && (
          <li>
            <Thread comment={pinned} />
          </li>
        )}
        {sending.map((entry) => (
          <li key={entry.key}>
            <Outgoing sending={entry} />
          </li>
        ))}
        {comments
          .filter(({ id }) => id !== linked.data?.root.id && id !== pinned?.id)
          .map((comment) => (
            <li key={comment.id}>
              <Thread comment={comment} />
            </li>
          ))}
      </ul>
      {query.isPending && <CommentsSkeleton count={4} />}
      {query.error && (
        <Problem
          error={query.error}
          retry={() => void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch())}
        />
      )}
      {query.hasNextPage && !query.error && (
        // Loads more on a click instead of by scrolling, so that users can reach the elements below the
        // comments.
        <Button wide busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t.more}
        </Button>
      )}
    </>
  )
}

function useLinked(contentId: string) {
  const hash = useLocation({ select: (location) => location.hash })
  const isLinked = hash.startsWith('cmt_')
  const { data, isError } = useQuery({ ...linkedQuery(contentId, hash), enabled: isLinked })
  return {
    /** True when the URL contains a comment id, unless loading that comment has failed. */
    isLinked: isLinked && !isError,
    /** The linked comment's thread. Undefined until the thread is loaded, null when the comment does not exist. */
    data: isLinked ? data : undefined,
  }
}

/** Shows the linked comment's thread above all other threads, so that it is visible without loading more pages. */
function LinkedThread({ isLinked, data }: ReturnType<typeof useLinked>) {
  const t = useTexts(texts)
  if (!isLinked) return null
  if (data === undefined) return <CommentsSkeleton count={1} />
  if (data === null) {
    return (
      <p className={styles.gone} role="status">
        {t.linkedGone}
      </p>
    )
  }
  return (
    <div className={styles.linked}>
      <p className="fine bold">{t.linked}</p>
      <Thread key={data.path.join()} comment={data.root} path={data.path} />
    </div>
  )
}

/** Comments that the viewer hid on their own content. They load when the viewer expands the list. */
function HiddenComments({ contentId }: { contentId: string }) {
  const t = useTexts(texts)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details
      className={styles.hidden}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary className="fine bold">{t.hiddenComments}</summary>
      {isOpen && <HiddenList contentId={contentId} />}
    </details>
  )
}

function HiddenList({ contentId }: { contentId: string }) {
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
