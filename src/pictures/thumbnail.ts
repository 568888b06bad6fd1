import { openPicture } from './libvips.ts'

const THUMBNAIL_SIDE = 640

/**
 * Writes the first frame of a picture as WebP to `target`: upright, in sRGB, without metadata, and scaled down to
 * at most THUMBNAIL_SIDE pixels on each side.
 */
export async function writeThumbnail(source: string | Buffer, target: string): Promise<void> {
  const picture = await openPicture(source)
  await picture
    .autoOrient()
    .resize(THUMBNAIL_SIDE, THUMBNAIL_SIDE, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .toFile(target)
}

/** Entropy in bits below which a picture counts as blank: it has one colour and at most a few specks. */
const BLANK_MAX = 0.01

/** Returns the entropy of the picture's brightness in bits, or 0 for a blank picture. */
export async function readDetail(source: string | Buffer): Promise<number> {
  const picture = await openPicture(source)
  const { entropy } = await picture.stats()
  return entropy < BLANK_MAX ? 0 : entropy
}
