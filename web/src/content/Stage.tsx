import { useQuery } from '@tanstack/react-query'
import type { ContentDetail } from '#sdk'
import { conversionQuery } from '../contents/conversion.ts'
import { useTexts } from '../language/texts.ts'
import { lazyPart } from '../session/lazyPart.ts'
import { thumbnailFor, thumbnailSources } from '../ui/sources.ts'
import styles from './Content.module.css'
import { Gallery } from './Gallery.tsx'
import { texts } from './texts.ts'

const GamePlayer = lazyPart(() => import('../jump/Player.tsx'), 'GamePlayer')
const Article = lazyPart(() => import('./Article.tsx'), 'Article')
const Playlist = lazyPart(() => import('./Playlist.tsx'), 'Playlist')

/** Shows the media of a content item. Suspends rendering while the player loads. */
export function Stage({ content }: { content: ContentDetail }) {
  const t = useTexts(texts)
  const { type } = content
  if (type === 'game') return <GamePlayer content={content} />
  const media = content.media.filter(({ url }) => url !== null)
  const isBlocked = media.length < content.media.length
  const pictures = media.filter(({ mime_type }) => mime_type.startsWith('image/'))
  if (content.media.length === 0 && !content.body) return <Bare content={content} />
  return (
    <>
      <Gallery title={content.title} pictures={pictures} />
      <Played content={{ ...content, media }} />
      {isBlocked && <p className={styles.bare}>{t.blockedMedia}</p>}
      {type === 'article' && content.body && <Article body={content.body} />}
    </>
  )
}

function Bare({ content }: { content: ContentDetail }) {
  const t = useTexts(texts)
  const { title, thumbnail_url } = content
  if (!thumbnail_url) return <p className={styles.bare}>{t.noMedia}</p>
  return (
    <img
      className={styles.picture}
      srcSet={thumbnailSources(content)}
      sizes="min(100vw, 60rem)"
      src={thumbnail_url}
      alt={title}
    />
  )
}

function Played({ content }: { content: ContentDetail }) {
  const { id, title, creator, media } = content
  const files = media.filter(({ mime_type }) => /^(video|audio)\//.test(mime_type))
  const { data, isPending } = useQuery({ ...conversionQuery(id), enabled: files.length > 0 })
  if (files.length === 0) return null
  return (
    <Playlist
      id={id}
      title={title}
      artist={creator.display_name}
      poster={thumbnailFor(content, Math.min(innerWidth, 960))}
      files={files}
      captions={media.filter(({ mime_type }) => mime_type === 'text/vtt')}
      // If reading the conversion fails, the player uses the original files.
      renditions={isPending ? undefined : (data?.renditions ?? [])}
    />
  )
}
