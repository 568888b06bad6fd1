import { type Static, Type } from 'typebox'
import { servedAs } from '../storage/file-types.ts'

export const PictureSize = Type.Object(
  { url: Type.String(), width: Type.Integer(), height: Type.Integer(), mime_type: Type.String() },
  { title: 'PictureSize' },
)

export const PictureSizes = Type.Array(PictureSize, {
  description:
    'Versions of the picture, by ascending width. Empty for animations and other files, and until the server has made the versions',
})

/** A smaller version of a picture, as stored in JSON columns. `name` is its path in the picture's folder. */
export type StoredSize = readonly [name: string, width: number, height: number]

/** Length of `/uploads/` and a SHA-256 in hex. */
const FOLDER_LENGTH = 73

/**
 * Returns the records of a picture's stored sizes. Returns an empty list when `url` or `stored` is null. The sizes are
 * in a folder named after the hash in `url`.
 */
export function sizesOf(url: string | null, stored: string | null): Static<typeof PictureSize>[] {
  if (url === null || stored === null) return []
  return toSizes(url.slice(0, FOLDER_LENGTH), JSON.parse(stored))
}

/** Returns records of stored sizes. `folder` is the URL of the picture's folder. */
export function toSizes(
  folder: string,
  stored: readonly StoredSize[],
): Static<typeof PictureSize>[] {
  return stored.map(([name, width, height]) => ({
    url: `${folder}/${name}`,
    width,
    height,
    mime_type: servedAs(name)?.type ?? '',
  }))
}
