import { Link } from '@tanstack/react-router'
import { CornerLeftUp } from 'lucide-react'
import type { ComponentProps } from 'react'
import type { Post as PostRecord } from '#sdk'
import { useTexts } from '../language/texts.ts'
import { Entries } from '../lists/Entries.tsx'
import { Post, PostsSkeleton } from './Post.tsx'
import styles from './PostList.module.css'
import { texts } from './texts.ts'

type Props = Pick<
  ComponentProps<typeof Entries<{ posts: PostRecord[] }, PostRecord>>,
  'query' | 'empty'
>

/** Posts and replies of one author, below a heading of level 2. Each reply links to the post to which it replies. */
export function PostList({ query, empty }: Props) {
  const t = useTexts(texts)
  return (
    <div className={styles.column}>
      <Entries
        query={query}
        target={({ posts }) => posts}
        skeleton={<PostsSkeleton />}
        empty={empty}
      >
        {(posts) => (
          <ul className={styles.posts}>
            {posts.map((post) => (
              <li key={post.id}>
                {post.parent_id && (
                  <Link to="/posts/$id" params={{ id: post.parent_id }} className={styles.answered}>
                    <CornerLeftUp />
                    {t.answered}
                  </Link>
                )}
                <Post post={post} level={3} />
              </li>
            ))}
          </ul>
        )}
      </Entries>
    </div>
  )
}
