import type { Handle } from '../db/handle.ts'
import { statement } from '../db/statement.ts'

const picture = statement((q, p: { path: string }) =>
  q.selectFrom('files').select(['width', 'height']).where('thumbnail_path', '=', p.path).limit(1),
)

/** Returns the width and height of the file to which a thumbnail belongs, or undefined when they are unknown. */
export async function findPictureSize(db: Handle, path: string) {
  const found = await db.first(picture, { path })
  if (!found) return undefined
  const { width, height } = found
  return width !== null && height !== null ? { width, height } : undefined
}
