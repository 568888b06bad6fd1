import { useInfiniteQuery } from '@tanstack/react-query'
import { Bookmark, Heart } from 'lucide-react'
import type { Content } from '#sdk'
import { InfiniteGrid } from '../contents/Grid.tsx'
import { useBookmark, useLike } from '../contents/actions.ts'
import { useTexts } from '../language/texts.ts'
import { Empty } from '../ui/Problem.tsx'
import { IconButton } from '../ui/Button.tsx'
import { type SavedList, savedQuery } from './queries.ts'
import { texts } from './texts.ts'

const LOOKS = {
  likes: { Icon: Heart, Corner: LikeCorner },
  bookmarks: { Icon: Bookmark, Corner: BookmarkCorner },
}

/**
 * Content that the viewer liked or bookmarked. Removed items remain until the viewer leaves the page, so that
 * removing can be undone.
 */
export function SavedContents({ list }: { list: SavedList }) {
  const t = useTexts(texts)
  const query = useInfiniteQuery(savedQuery(list))
  const { Icon, Corner } = LOOKS[list]
  return (
    <InfiniteGrid
      query={query}
      corner={(content) => <Corner content={content} />}
      empty={
        <Empty
          icon={<Icon />}
          title={t.nothingSaved[list]}
          level={3}
          action={t.look}
          link={{ to: '/', search: { sort: 'popular' } }}
        >
          {t.keepHelp[list]}
        </Empty>
      }
    />
  )
}

function LikeCorner({ content }: { content: Content }) {
  const t = useTexts(texts)
  return (
    <IconButton
      icon={<Heart />}
      label={t.like(content.title)}
      pressed={content.is_liked}
      onClick={useLike(content)}
    />
  )
}

function BookmarkCorner({ content }: { content: Content }) {
  const t = useTexts(texts)
  return (
    <IconButton
      icon={<Bookmark />}
      label={t.bookmark(content.title)}
      pressed={content.is_bookmarked}
      onClick={useBookmark(content)}
    />
  )
}
