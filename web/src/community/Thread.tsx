import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useLocation, useNavigate } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { Post as PostRecord } from '#sdk'
import { collapsedTexts } from '../creators/Collapsed.tsx'
import { useTexts } from '../language/texts.ts'
import { entriesOf } from '../lists/paging.ts'
import { LinkButton } from '../ui/Button.tsx'
import { type Growing, More } from '../lists/Entries.tsx'
import { Page } from '../ui/Page.tsx'
import { Problem } from '../ui/Problem.tsx'
import styles from './Community.module.css'
import { Composer } from './Composer.tsx'
import { Post, PostsSkeleton } from './Post.tsx'
import { beginningOf, feedQuery, threadQuery } from './queries.ts'
import { texts } from './texts.ts'

const route = getRouteApi('/posts/$id')

export function Thread() {
  const { id } = route.useParams()
  return <ThreadOf key={id} id={id} />
}

function ThreadOf({ id }: { id: string }) {
  const t = useTexts(texts)
  const collapsed = useTexts(collapsedTexts)
  const queries = useQueryClient()
  const query = useInfiniteQuery({
    ...threadQuery(id),
    placeholderData: () => beginningOf(queries.getQueryData(feedQuery.queryKey), id),
  })
  const first = query.data?.pages[0]
  const title = first?.post.author
    ? t.postBy(first.post.author.display_name)
    : first?.post.is_filtered
      ? collapsed.post
      : t.deletedPost
  return (
    <Page title={first ? title : t.title} hidesTitle width="reading">
      <LinkButton
        look="plain"
        size="small"
        to="/community"
        icon={<ArrowLeft />}
        className={styles.back ?? ''}
      >
        {t.allPosts}
      </LinkButton>
      {query.isPending && <PostsSkeleton count={3} />}
      {query.isError && !query.data && (
        <Problem error={query.error} retry={() => void query.refetch()} />
      )}
      {first && (
        <Opened
          ancestors={first.ancestors}
          post={first.post}
          replies={entriesOf(query.data?.pages, (page) => page.replies)}
          query={query}
        />
      )}
    </Page>
  )
}

interface OpenedProps {
  ancestors: PostRecord[]
  post: PostRecord
  replies: PostRecord[]
  query: Growing & { isPlaceholderData: boolean }
}

function Opened({ ancestors, post, replies, query }: OpenedProps) {
  const t = useTexts(texts)
  const navigate = useNavigate()
  const main = useRef<HTMLDivElement>(null)
  const composer = useRef<HTMLDivElement>(null)
  const write = () => composer.current?.querySelector('textarea')?.focus()
  useArrival(main, ancestors.length > 0)
  const leave = () => {
    if (post.reply_count > 0) return
    void (post.parent_id
      ? navigate({ to: '/posts/$id', params: { id: post.parent_id }, replace: true })
      : navigate({ to: '/community', replace: true }))
  }
  return (
    <>
      <div className={styles.card}>
        {ancestors.length > 0 && (
          <ol aria-label={t.inReply}>
            {ancestors.map((above) => (
              <li key={above.id}>
                <Post post={above} isAbove />
              </li>
            ))}
          </ol>
        )}
        <div ref={main} className={styles.mainPost}>
          <Post post={post} isMain onDeleted={leave} onReply={write} />
        </div>
        {!post.is_deleted && !post.is_filtered && (
          <div ref={composer} className={styles.threadComposer}>
            <Composer parent={post} />
          </div>
        )}
      </div>
      <h2 className={styles.heading}>{t.replies}</h2>
      <Replies replies={replies} query={query} />
    </>
  )
}

function Replies({ replies, query }: Pick<OpenedProps, 'replies' | 'query'>) {
  const t = useTexts(texts)
  if (query.isPlaceholderData) return <PostsSkeleton count={2} />
  if (replies.length === 0 && !query.hasNextPage) {
    return <p className={styles.nothing}>{t.noReplies}</p>
  }
  // Sorts by id, and therefore by time, because the viewer's new reply is cached before older replies have
  // loaded.
  const inOrder = [...replies].sort((left, right) => (left.id < right.id ? -1 : 1))
  return (
    <>
      <ol className={styles.list}>
        {inOrder.map((reply) => (
          <li key={reply.id}>
            <Post post={reply} level={3} />
          </li>
        ))}
      </ol>
      <More query={query} />
    </>
  )
}

const arrived = new Set<string>()

/**
 * Scrolls to the post, past its ancestors, when the viewer opens a thread. After Back, the router restores the position
 * instead.
 */
function useArrival(main: RefObject<HTMLElement | null>, isBelowOthers: boolean): void {
  const { __TSR_key: key = '' } = useLocation().state
  useLayoutEffect(() => {
    if (!isBelowOthers || arrived.has(key)) return
    arrived.add(key)
    main.current?.scrollIntoView()
  }, [main, key, isBelowOthers])
}
