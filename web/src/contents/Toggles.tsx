import { Bookmark, Heart } from 'lucide-react'
import type { Content } from '#sdk'
import { useFormats } from '../language/formats.ts'
import { useTexts } from '../language/texts.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { texts } from './texts.ts'
import { useBookmark, useLike } from './toggles.ts'

export function Toggles({
  content,
  className,
}: {
  content: Content
  className?: string | undefined
}) {
  const t = useTexts(texts)
  const formats = useFormats()
  const like = useLike(content)
  const bookmark = useBookmark(content)
  return (
    <div className={className} style={{ display: 'flex', gap: 4 }}>
      <IconButton
        icon={<Heart aria-hidden="true" />}
        label={`${t.like}, ${formats.number(content.like_count)}`}
        pressed={content.is_liked}
        count={formats.count(content.like_count)}
        onClick={like}
      />
      <IconButton
        icon={<Bookmark aria-hidden="true" />}
        label={`${t.bookmark}, ${formats.number(content.bookmark_count)}`}
        pressed={content.is_bookmarked}
        count={formats.count(content.bookmark_count)}
        onClick={bookmark}
      />
    </div>
  )
}
