import { type Static, Type } from 'typebox'
import { servedAs } from '../storage/file-types.ts'

export const PictureSize = Type.Object(
  { url: Type.String(), width: Type.Integer(), height: Type.Integer(), mime_type: Type.String() },
  { title: 'PictureSize' },
)

/** A smaller version of a picture, as columns store it in JSON. `name` is its path in the picture's folder. */
export type StoredSize = readonly [name: string, width: number, height: number]

/** Returns records of stored sizes. `folder` is the URL of the picture's folder. */
export function toSizes(folder: string, stored: string | null): Static<typeof PictureSize>[] {
  if (stored === null) return []
  return (JSON.parse(stored) as StoredSize[]).map(([name, width, height]) => ({
    url: `${folder}/${name}`,
    width,
    height,
    mime_type: servedAs(name)?.type ?? '',
  }))
}
