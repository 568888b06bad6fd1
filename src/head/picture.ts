/** Pictures of a content item in the head of its page: the link preview and the preload. */
import type { ContentRecord, MediaRecord } from '../contents/schema.ts'
import type { Preload } from './facts.ts'

/** Minimum width in pixels of a picture that link previews show large. */
const PREVIEW_WIDTH = 1200

/**
 * Returns the URL of the picture for link previews, or null without a thumbnail. Prefers a wide scaled version, because
 * the original can be too large.
 */
export function previewOf({ thumbnail_url, thumbnail_sizes }: ContentRecord): string | null {
  const wide = thumbnail_sizes.find(({ width }) => width >= PREVIEW_WIDTH)
  return wide?.url ?? thumbnail_url
}

/**
 * Minimum width in pixels of a scaled version that replaces the original. Must equal the constant in
 * `web/src/ui/sources.ts`.
 */
const ENOUGH = 1920
const THUMBNAIL_SIDE = 640
/**
 * Attribute `sizes` of the main picture on a content page (STAGE), and of the picture on a card (CARD, LEAD: see
 * `Thumbnail.tsx` and `Lead.tsx` in `web/src/contents`).
 */
const STAGE = 'min(100vw, 60rem)'
const CARD = '(max-width: 38rem) 100vw, 22rem'
const LEAD = '(max-width: 64rem) 100vw, 54rem'
const CARD_RATIO = 16 / 9

/**
 * Returns the preload of the first picture on a content page. The client must request the same file
 * (`web/src/content` and `web/src/jump/Player.tsx`).
 */
export function preloadOf(content: ContentRecord): Preload | undefined {
  const { type, media } = content
  if (isVeiled(content)) return undefined
  if (type === 'video' || type === 'game') {
    const preload = thumbnailPreload(content, STAGE)
    return preload && content.game
      ? { ...preload, orientation: content.game.orientation ?? 'landscape' }
      : preload
  }
  const [picture] = media
  if (type !== 'image' || !picture?.url || !picture.mime_type.startsWith('image/')) return undefined
  const { url, width, height } = picture
  const sources = sourcesOf(picture.sizes, { url, width })
  if (!width || !height) return { url, sources, sizes: STAGE }
  const sizes = `min(${STAGE}, ${(width / height).toFixed(3)} * 80vh)`
  return { url, sources, sizes, shape: { width, height } }
}

/** Returns the preload of the first card of a list. Undefined for a card without a picture, or with a blurred one. */
export function cardPreloadOf(content: ContentRecord | undefined): Preload | undefined {
  return preloadOfCard(content, CARD)
}

/** Works like `cardPreloadOf`, for the large card of the first content of a page. */
export function leadPreloadOf(content: ContentRecord | undefined): Preload | undefined {
  return preloadOfCard(content, LEAD)
}

/** True for content that an anonymous viewer sees only after agreeing, as `useIsVeiled` in the client. */
export function isVeiled({ rating, warnings }: ContentRecord): boolean {
  return rating === 'adult' || warnings.includes('flashing')
}

function preloadOfCard(content: ContentRecord | undefined, sizes: string): Preload | undefined {
  if (!content || isVeiled(content)) return undefined
  // Cards show the pictures of games and of the category `swipe` uncropped.
  const isWhole = content.type === 'game' || content.category === 'swipe'
  return thumbnailPreload(content, sizes, isWhole ? undefined : CARD_RATIO)
}

function thumbnailPreload(
  { thumbnail_url: url, thumbnail_sizes }: ContentRecord,
  sizes: string,
  covers?: number,
): Preload | undefined {
  if (url === null) return undefined
  const sources = sourcesOf(thumbnail_sizes, { url, width: THUMBNAIL_SIDE }, covers)
  return { url, sources, sizes }
}

/**
 * Returns the same `srcset` as `srcSetOf` in the client. `covers` is the aspect ratio (width / height) of a box that
 * the picture covers.
 */
function sourcesOf(
  versions: MediaRecord['sizes'],
  whole: { url: string; width: number | null },
  covers?: number,
): string {
  const widest = versions.at(-1)?.width
  if (widest === undefined) return ''
  const sources = versions.map(({ url, width, height }) => ({
    url,
    width: covers === undefined ? width : Math.min(width, Math.round(height * covers)),
  }))
  const isEnough = whole.width === null || widest >= ENOUGH || widest >= whole.width
  return (isEnough ? sources : [...sources, whole])
    .map((source) => `${source.url} ${source.width}w`)
    .join(', ')
}
