import { openPicture } from './libvips.ts'

/** Maximum length of the longer side in pixels. */
const THUMBNAIL_SIDE = 640

/** Writes a thumbnail: the first frame as an upright WebP in sRGB, without metadata, never enlarged. */
export async function writeThumbnail(source: string | Buffer, target: string): Promise<void> {
  const picture = await openPicture(source)
  await picture
    .autoOrient()
    .resize(THUMBNAIL_SIDE, THUMBNAIL_SIDE, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .toFile(target)
}
