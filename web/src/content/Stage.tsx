import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ContentDetail } from '#sdk'
import { conversionQuery } from '../contents/queries.ts'
import { lazyPart, useIsUsed } from '../device/connected.ts'
import { useLangOf } from '../language/look.ts'
import { useTexts } from '../language/texts.ts'
import { thumbnailFor, thumbnailSources } from '../ui/sources.ts'
import styles from './Content.module.css'
import { texts } from './texts.ts'

const Gallery = lazyPart(() => import('./Gallery.tsx'), 'Gallery')
const Cover = lazyPart(() => import('./Cover.tsx'), 'Cover')
const GamePlayer = lazyPart(() => import('../jump/Player.tsx'), 'GamePlayer')
const Markdown = lazyPart(() => import('../markdown/Markdown.tsx'), 'Markdown')
const Playlist = lazyPart(() => import('../contents/player/Player.tsx'), 'Playlist')

const FIRST_PARTS: Record<string, { preload: () => Promise<unknown> }> = {
  article: Markdown,
  audio: Playlist,
  game: GamePlayer,
  image: Gallery,
  video: Cover,
}

/** Loads the code that shows the media of a content type, so that the first render does not suspend. */
export async function preloadStage(type: string): Promise<void> {
  await FIRST_PARTS[type]?.preload()
}

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
      {pictures.length > 0 && <Gallery title={content.title} pictures={pictures} />}
      <Played content={{ ...content, media }} />
      {isBlocked && <p className={styles.bare}>{t.blockedMedia}</p>}
      {type === 'article' && content.body && <Article body={content.body} />}
    </>
  )
}

function Article({ body }: { body: string }) {
  return (
    <div className={styles.article}>
      <Markdown text={body} lang={useLangOf(body)} />
    </div>
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
  const [first] = files
  const poster = thumbnailFor(content, Math.min(innerWidth, 960))
  const isVideo = first?.mime_type.startsWith('video/') ?? false
  const { isCovered, isPlayed, hold, play } = useCover(isVideo && poster !== null)
  if (!first) return null
  if (isCovered && poster) return <Cover {...{ content, hold, play }} medium={first} />
  return (
    <Playlist
      id={id}
      startsAtOnce={isPlayed}
      title={title}
      artist={creator.display_name}
      poster={poster}
      files={files}
      captions={media.filter(({ mime_type }) => mime_type === 'text/vtt')}
      // If reading the conversion fails, the player uses the URLs in `files`.
      renditions={isPending ? undefined : (data?.renditions ?? [])}
    />
  )
}

/**
 * State of the cover that a video shows until the viewer uses the page. The player's code is large and
 * loads only then.
 */
function useCover(hasCover: boolean) {
  const isUsed = useIsUsed()
  const [isCovered, setIsCovered] = useState(hasCover && !isUsed)
  const [isPlayed, setIsPlayed] = useState(false)
  const isHeld = useRef(false)
  useEffect(() => {
    if (!hasCover || !isUsed) return
    void Playlist.preload().then(() => isHeld.current || setIsCovered(false))
  }, [hasCover, isUsed])
  return {
    isCovered,
    isPlayed,
    /**
     * Keeps the cover until a click. Otherwise the player could replace a cover that the viewer touches or has focused.
     */
    hold: () => {
      isHeld.current = true
    },
    play: () => {
      setIsPlayed(true)
      void Playlist.preload().then(() => setIsCovered(false))
    },
  }
}
