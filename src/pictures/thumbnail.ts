import { openPicture } from './libvips.ts'

const THUMBNAIL_SIDE = 640

/**
 * Writes a thumbnail of the first frame as WebP: upright, in sRGB, without metadata. Never enlarges the
 * picture.
 */
export async function writeThumbnail(source: string | Buffer, target: string): Promise<void> {
  const picture = await openPicture(source)
  await picture
    .autoOrient()
    .resize(THUMBNAIL_SIDE, THUMBNAIL_SIDE, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .toFile(target)
}
