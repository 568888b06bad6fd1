import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { extensionOf } from '../storage/file-types.ts'
import { encodesAvif, openPicture } from './libvips.ts'
import { withPicture } from './prepare.ts'

export interface WrittenSize {
  name: string
  mime_type: string
  width: number
  height: number
  size_bytes: number
}

/**
 * Writes smaller WebP versions of a picture into `folder`: one for each of `widths` up to the picture's width. With
 * `hasAvif`, also writes AVIF versions if the encoder is available. For large pictures, AVIF takes 15 times as much
 * processor time as WebP. Returns the versions by ascending width, or none for an animation. Errors: PictureRefused,
 * StorageFull.
 */
export function writeSizes(
  localFile: string,
  mimeType: string,
  folder: string,
  { widths, hasAvif }: { widths: readonly number[]; hasAvif: boolean },
): Promise<WrittenSize[]> {
  return withPicture(localFile, mimeType, folder, async (opened, scanned, header) => {
    const fitting = widths.filter((width) => width <= header.width).sort((a, b) => a - b)
    const largest = fitting.at(-1)
    if (largest === undefined || scanned.frames > 1 || scanned.isSequence) return []
    const types = hasAvif && (await encodesAvif()) ? ['image/webp', 'image/avif'] : ['image/webp']
    // Decodes the original only once: smaller sizes are made from the largest.
    const source = join(folder, 'source')
    const picture = await openPicture(opened)
    await picture.autoOrient().resize(largest).png({ compressionLevel: 1 }).toFile(source)
    const written: WrittenSize[] = []
    for (const width of fitting) {
      for (const type of types) {
        const name = `${width}.${extensionOf(type)}`
        const { height } = await writeSize(source, join(folder, name), width, type)
        const { size } = await stat(join(folder, name))
        written.push({ name, mime_type: type, width, height, size_bytes: size })
      }
    }
    return written
  })
}

async function writeSize(source: string, target: string, width: number, type: string) {
  const resized = (await openPicture(source)).resize(width)
  const encoded =
    type === 'image/avif' ? resized.avif({ quality: 55 }) : resized.webp({ quality: 80 })
  return encoded.toFile(target)
}
