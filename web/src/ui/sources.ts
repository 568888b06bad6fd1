import type { Content, Media, PictureSize } from '#sdk'

/** `sizes` of a picture that is shown blurred, so that the browser loads its smallest version. */
export const BLURRED = '1px'

interface Choices {
  /** Width / height of the box that a cropped picture fills. The `srcset` has the widths of the visible part. */
  covers?: number | undefined
  /** Original picture, for windows that need more pixels than the smaller versions have. */
  whole?: { url: string; width: number } | undefined
}

/**
 * Width in pixels of a smaller version that is large enough for any window. With such a version, the `srcset` omits the
 * original, whose file can be very large.
 */
const ENOUGH = 1920

/**
 * Returns the `srcset` of a picture from its WebP versions, or undefined without any. Adds the original (`whole`) if
 * the widest version is narrower than both ENOUGH and the original.
 */
export function srcSetOf(
  sizes: readonly PictureSize[],
  { covers, whole }: Choices = {},
): string | undefined {
  const files = sizes.filter(({ mime_type }) => mime_type === 'image/webp')
  const widest = files.at(-1)?.width
  if (widest === undefined) return undefined
  const sources = files.map(({ url, width, height }) => ({
    url,
    width: covers === undefined ? width : Math.min(width, Math.round(height * covers)),
  }))
  const isEnough = !whole || widest >= ENOUGH || widest >= whole.width
  return (isEnough ? sources : [...sources, whole])
    .map(({ url, width }) => `${url} ${width}w`)
    .join(', ')
}

/** Maximum width and height of the picture at `thumbnail_url`, in pixels. */
const THUMBNAIL_SIDE = 640

type Thumbnailed = Pick<Content, 'thumbnail_url' | 'thumbnail_sizes'>

/** Returns the `srcset` of a thumbnail. `covers` is the aspect ratio (width / height) of the box. */
export function thumbnailSources(content: Thumbnailed, covers?: number): string | undefined {
  const { thumbnail_url: url, thumbnail_sizes } = content
  if (url === null) return undefined
  return srcSetOf(thumbnail_sizes, { covers, whole: { url, width: THUMBNAIL_SIDE } })
}

/**
 * Returns the URL of a thumbnail for elements without `srcset`: the smallest version that is sharp at `width` CSS
 * pixels, or else the widest one. `thumbnail_url` if all versions are narrower. Null if the content has no thumbnail.
 */
export function thumbnailFor(content: Thumbnailed, width: number): string | null {
  const wide = content.thumbnail_sizes.filter((size) => size.width >= THUMBNAIL_SIDE)
  const fitting = wide.find((size) => size.width >= width * devicePixelRatio) ?? wide.at(-1)
  return content.thumbnail_url && (fitting?.url ?? content.thumbnail_url)
}

/** Returns the `srcset` of a content item's picture. `covers` is the aspect ratio (width / height) of the box. */
export function pictureSources({ url, width, sizes }: Media, covers?: number): string | undefined {
  if (url === null) return undefined
  return srcSetOf(sizes, { covers, whole: width === null ? undefined : { url, width } })
}

/**
 * Returns the `sizes` of a picture that fits into a box without being cropped. The box is `width` wide and `height`
 * high, in CSS units.
 */
export function containedIn(picture: Media, width: string, height: string): string {
  if (!picture.width || !picture.height) return width
  return `min(${width}, ${(picture.width / picture.height).toFixed(3)} * ${height})`
}
