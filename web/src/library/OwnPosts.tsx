import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CornerLeftUp, MessagesSquare } from 'lucide-react'
import { Post } from '../community/Post.tsx'
import { PostsSkeleton } from '../community/PostsSkeleton.tsx'
import { useTexts } from '../language/texts.ts'
import { Entries } from '../lists/Entries.tsx'
import { Empty } from '../ui/Empty.tsx'
import styles from './OwnPosts.module.css'
import { ownPostsQuery } from './queries.ts'
import { texts } from './texts.ts'

/** List of the viewer's posts and replies, newest first. */
export function OwnPosts() {
  const query = useInfiniteQuery(ownPostsQuery())
  return (
    <div className={styles.column}>
      <Entries
        query={query}
        target={(page) => page.posts}
        skeleton={<PostsSkeleton />}
        empty={<NoPosts />}
      >
        {(posts) => (
          <ul className={styles.posts}>
            {posts.map((post) => (
              <li key={post.id}>
                {post.parent_id && <Answered id={post.parent_id} />}
                <Post post={post} level={3} />
              </li>
            ))}
          </ul>
        )}
      </Entries>
    </div>
  )
}

/** Link from a reply to the post it replies to. */
function Answered({ id }: { id: string }) {
  const t = useTexts(texts)
  return (
    <Link to="/posts/$id" params={{ id }} className={styles.answered}>
      <CornerLeftUp aria-hidden="true" />
      {t.answered}
    </Link>
  )
}

function NoPosts() {
  const t = useTexts(texts)
  return (
    <Empty
      icon={<MessagesSquare aria-hidden="true" />}
      title={t.noPosts}
      level={3}
      action={t.write}
      link={{ to: '/community' }}
    >
      {t.noPostsHelp}
    </Empty>
  )
}
