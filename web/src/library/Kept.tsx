/**
 * Content that the viewer liked or bookmarked. Removed items remain until the viewer leaves the page, so that
 * removing can be undone.
 */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Bookmark, Heart } from 'lucide-react'
import type { Content } from '#sdk'
import { InfiniteGrid } from '../contents/Grid.tsx'
import { useBookmark, useLike } from '../contents/actions.ts'
import { useTexts } from '../language/texts.ts'
import { LinkButton } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { bookmarksQuery, likesQuery } from './queries.ts'
import { texts } from './texts.ts'

export function Likes() {
  const t = useTexts(texts)
  const query = useInfiniteQuery(likesQuery())
  return (
    <InfiniteGrid
      query={query}
      corner={(content) => <LikeCorner content={content} />}
      empty={
        <Empty icon={<Heart />} title={t.noLikes} level={3} action={<LookAround />}>
          {t.noLikesHelp}
        </Empty>
      }
    />
  )
}

export function Bookmarks() {
  const t = useTexts(texts)
  const query = useInfiniteQuery(bookmarksQuery())
  return (
    <InfiniteGrid
      query={query}
      corner={(content) => <BookmarkCorner content={content} />}
      empty={
        <Empty icon={<Bookmark />} title={t.noBookmarks} level={3} action={<LookAround />}>
          {t.noBookmarksHelp}
        </Empty>
      }
    />
  )
}

function LikeCorner({ content }: { content: Content }) {
  const t = useTexts(texts)
  const like = useLike(content)
  return (
    <IconButton
      icon={<Heart />}
      label={t.like(content.title)}
      pressed={content.is_liked}
      onClick={like}
    />
  )
}

function BookmarkCorner({ content }: { content: Content }) {
  const t = useTexts(texts)
  const bookmark = useBookmark(content)
  return (
    <IconButton
      icon={<Bookmark />}
      label={t.bookmark(content.title)}
      pressed={content.is_bookmarked}
      onClick={bookmark}
    />
  )
}

function LookAround() {
  const t = useTexts(texts)
  return (
    <LinkButton look="primary" to="/" search={{ sort: 'popular' }}>
      {t.look}
    </LinkButton>
  )
}
