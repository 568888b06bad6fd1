/** Pictures of a content item in the head of its page: the link preview and the preload. */
import type { ContentRecord, MediaRecord } from '../contents/schema.ts'
import type { PageFacts } from './facts.ts'

/** Minimum width of a picture that link previews show large, in pixels. */
const PREVIEW_WIDTH = 1200

/** Returns the URL of the picture for link previews: wide, but never an original, which can be very large. */
export function previewOf({ thumbnail_url, thumbnail_sizes }: ContentRecord): string | null {
  const wide = thumbnail_sizes.find(({ width }) => width >= PREVIEW_WIDTH)
  return wide?.url ?? thumbnail_url
}

/** Width in pixels from which a version replaces the original. The same as in `web/src/ui/sources.ts`. */
const ENOUGH = 1920

/**
 * Returns the preload of the first picture of an image, so that the browser loads it before the scripts. It must be the
 * file that the client requests (`web/src/content/Gallery.tsx`).
 */
export function preloadOf({ type, media }: ContentRecord): PageFacts['preload'] {
  const [picture] = media
  if (type !== 'image' || !picture?.url || !picture.mime_type.startsWith('image/')) return undefined
  return { url: picture.url, sources: sourcesOf(picture, picture.url), sizes: sizesOf(picture) }
}

function sourcesOf({ sizes, width }: MediaRecord, url: string): string {
  const widest = sizes.at(-1)?.width
  if (widest === undefined) return ''
  const isEnough = width === null || widest >= ENOUGH || widest >= width
  return (isEnough ? sizes : [...sizes, { url, width }])
    .map((source) => `${source.url} ${source.width}w`)
    .join(', ')
}

function sizesOf({ width, height }: MediaRecord): string {
  const stage = 'min(100vw, 60rem)'
  return width && height ? `min(${stage}, ${(width / height).toFixed(3)} * 80vh)` : stage
}
