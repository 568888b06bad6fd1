/** Responses of oEmbed 1.0 (oembed.com), which tell other sites how to show a content item. */
import { Type, type Static } from 'typebox'
import type { ContentDetailRecord } from '../contents/schema.ts'
import { escapeMarkup, withoutBidi } from '../http/markup.ts'
import { isAdult } from './rules.ts'

const SIDE_MAX = 10_000
const side = Type.Optional(Type.Integer({ minimum: 1, maximum: SIDE_MAX }))

/** The route itself checks `url` and `format`. An unsupported `format` returns 501 instead of 422. */
export const OembedQuery = Type.Object({
  url: Type.Optional(Type.String({ maxLength: 2000 })),
  format: Type.Optional(Type.String()),
  maxwidth: side,
  maxheight: side,
})
export type OembedInput = Static<typeof OembedQuery>

interface Size {
  width: number
  height: number
}

/** Longest side of a player and of a thumbnail, in pixels. */
const SIDE = 640
/** Height of the line with title and creator below a player, in pixels. */
const LINE = 44
/** Sizes of frames for content whose size is unknown. */
const SIZES: Record<ContentDetailRecord['type'], Size> = {
  video: { width: SIDE, height: 360 },
  image: { width: SIDE, height: 480 },
  audio: { width: SIDE, height: 240 },
  article: { width: SIDE, height: 480 },
  game: { width: SIDE, height: 360 },
}

type Link = Record<string, string | number>

/** Returns the response for a content item. `thumbnail` is the size of its thumbnail, if it is known. */
export function oembedOf(
  content: ContentDetailRecord,
  { base, name }: { base: string; name: string },
  limits: Pick<OembedInput, 'maxwidth' | 'maxheight'>,
  thumbnail: Size | undefined,
): Link {
  const { creator, thumbnail_url } = content
  const title = withoutBidi(content.title)
  const common = {
    version: '1.0',
    title,
    author_name: withoutBidi(creator.display_name),
    author_url: `${base}/creators/${creator.handle}`,
    provider_name: withoutBidi(name),
    provider_url: `${base}/`,
    ...(thumbnail &&
      thumbnail_url !== null && {
        thumbnail_url: base + thumbnail_url,
        thumbnail_width: thumbnail.width,
        thumbnail_height: thumbnail.height,
      }),
  }
  const photo = photoOf(content)
  if (photo) {
    return { type: 'photo', ...common, url: base + photo.url, ...scaled(photo, limits) }
  }
  const { width, height } = scaled(frameOf(content), limits)
  const html = `<iframe src="${escapeMarkup(`${base}/embed/${content.id}`)}" width="${width}" height="${height}" title="${escapeMarkup(title)}" style="border:0" loading="lazy" allow="fullscreen; picture-in-picture" allowfullscreen></iframe>`
  return { type: content.type === 'video' ? 'video' : 'rich', ...common, html, width, height }
}

/**
 * Returns the first picture of an image content item. Returns undefined for other types, for adult content, and for a
 * picture that is blocked or of unknown size.
 */
function photoOf(content: ContentDetailRecord): (Size & { url: string }) | undefined {
  const [file] = content.media
  if (content.type !== 'image' || isAdult(content) || !file?.url) return undefined
  const { url, width, height } = file
  return width !== null && height !== null ? { url, width, height } : undefined
}

function frameOf({ type, media: [file] }: ContentDetailRecord): Size {
  const size = sizeOf(file)
  if (!size || type === 'audio') return withLine(SIZES[type])
  return withLine(fitted(size, SIDE))
}

const withLine = ({ width, height }: Size): Size => ({ width, height: height + LINE })

function sizeOf(file: { width: number | null; height: number | null } | undefined) {
  if (!file) return undefined
  const { width, height } = file
  return width !== null && height !== null ? { width, height } : undefined
}

/** Scales a size, so that its longer side becomes `longest`. */
function fitted({ width, height }: Size, longest: number): Size {
  const scale = longest / Math.max(width, height)
  return { width: Math.round(width * scale), height: Math.round(height * scale) }
}

/**
 * Returns the size of a content item's thumbnail. Returns undefined for an unknown size and for adult content.
 * `picture` is the size of the original, which the thumbnail never exceeds.
 */
export function thumbnailSize(content: ContentDetailRecord, picture: Size | undefined) {
  if (isAdult(content)) return undefined
  const size = picture ?? (content.type === 'video' ? sizeOf(content.media[0]) : undefined)
  return size && (Math.max(size.width, size.height) > SIDE ? fitted(size, SIDE) : size)
}

function scaled(
  { width, height }: Size,
  { maxwidth = width, maxheight = height }: Pick<OembedInput, 'maxwidth' | 'maxheight'>,
): Size {
  const scale = Math.min(1, maxwidth / width, maxheight / height)
  const fit = (length: number) => Math.max(1, Math.floor(length * scale))
  return { width: fit(width), height: fit(height) }
}

export function oembedXml(link: Link): string {
  const lines = Object.entries(link).map(
    ([name, value]) => `  <${name}>${escapeMarkup(String(value))}</${name}>\n`,
  )
  return `<?xml version="1.0" encoding="utf-8"?>\n<oembed>\n${lines.join('')}</oembed>\n`
}
