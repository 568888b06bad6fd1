import { openPicture } from './libvips.ts'

/** Pixels of the longer side, at most. */
const THUMBNAIL_SIDE = 640

/** Writes a WebP of the first frame, upright, in sRGB, without metadata, and never larger than the picture. */
export async function writeThumbnail(source: string | Buffer, target: string): Promise<void> {
  const picture = await openPicture(source)
  await picture
    .autoOrient()
    .resize(THUMBNAIL_SIDE, THUMBNAIL_SIDE, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .toFile(target)
}
