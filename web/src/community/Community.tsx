import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { MessagesSquare } from 'lucide-react'
import { useTexts } from '../language/texts.ts'
import { Entries, Fresh } from '../lists/Entries.tsx'
import { Empty } from '../ui/Problem.tsx'
import { Page } from '../ui/Page.tsx'
import styles from './Community.module.css'
import { Composer } from './Composer.tsx'
import { Post, PostsSkeleton } from './Post.tsx'
import { addNewer } from './cache.ts'
import { feedQuery, NEWER_MAX, newerQuery } from './queries.ts'
import { texts } from './texts.ts'

export function Community() {
  const t = useTexts(texts)
  return (
    <Page title={t.title} lead={t.lead} width="reading">
      <section className={styles.card} aria-label={t.write}>
        <Composer />
      </section>
      <Newer />
      <section className={styles.timeline} aria-label={t.timeline}>
        <Timeline />
      </section>
    </Page>
  )
}

function Timeline() {
  const t = useTexts(texts)
  const query = useInfiniteQuery(feedQuery)
  return (
    <Entries
      query={query}
      target={(page) => page.posts}
      skeleton={<PostsSkeleton />}
      empty={
        <Empty icon={<MessagesSquare />} title={t.empty}>
          {t.emptyHelp}
        </Empty>
      }
    >
      {(posts) => (
        <ul className={styles.list}>
          {posts.map((post) => (
            <li key={post.id}>
              <Post post={post} />
            </li>
          ))}
        </ul>
      )}
    </Entries>
  )
}

function Newer() {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const { data } = useInfiniteQuery({ ...feedQuery, enabled: false })
  // Cursor of the newest post that the server returned. Ignores the viewer's own new posts, because slightly older
  // posts by others may not be loaded yet.
  const newest = data?.pages[0]?.prev_cursor ?? null
  const { data: newer } = useQuery({ ...newerQuery(newest), enabled: data !== undefined })
  const known = new Set(data?.pages.flatMap(({ posts }) => posts.map(({ id }) => id)))
  const fresh = newer?.posts.filter(({ id }) => !known.has(id)) ?? []
  const isMany = newer?.posts.length === NEWER_MAX
  const show = async () => {
    if (isMany) await queries.resetQueries({ queryKey: feedQuery.queryKey })
    else if (newer) addNewer(queries, newer)
  }
  const label = isMany ? t.manyNewer(fresh.length) : t.newer(fresh.length)
  return <Fresh label={fresh.length > 0 ? label : undefined} show={show} />
}
