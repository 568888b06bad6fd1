import { Gamepad2, Image, Music, Play } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Content } from '#sdk'
import { useFormats } from '../language/formats.ts'
import { Corner } from './Corner.tsx'
import { TextCover } from './TextCover.tsx'
import styles from './Thumbnail.module.css'

const ICONS = { video: Play, image: Image, audio: Music, game: Gamepad2 }

interface Props {
  content: Content
  /** In place of its thumbnail. */
  src?: string | null
  /** In place of the picture: what the browser shows of a file. */
  cover?: ReactNode
  /** Among the first pictures of a page: loaded at once, before others. */
  isFirst?: boolean
  /** Of games, which are a little higher. */
  shape?: 'game' | 'filling'
  /** Over it, in place of how long it takes. */
  corner?: ReactNode
}

/** The picture of a work; where it has none, its words or what kind it is. Takes its room before it is here. */
export function Thumbnail({
  content,
  src = content.thumbnail_url,
  cover,
  isFirst,
  shape,
  corner,
}: Props) {
  const formats = useFormats()
  const Icon = ICONS[content.type as keyof typeof ICONS] ?? Image
  const duration = content.media[0]?.duration_ms
  return (
    <div className={styles.thumbnail} data-shape={shape}>
      {cover ??
        (src ? (
          <img
            {...(isFirst ? { fetchPriority: 'high' } : { loading: 'lazy' })}
            src={src}
            alt=""
            width={640}
            height={360}
            decoding="async"
          />
        ) : content.type === 'article' ? (
          <TextCover content={content} />
        ) : (
          <Icon aria-hidden="true" />
        ))}
      {corner ?? (duration != null && <Corner>{formats.duration(duration)}</Corner>)}
    </div>
  )
}
