import { listColumn } from '../db/rows.ts'
import type { Handle } from '../db/handle.ts'

/**
 * Matches the paths that the server creates, and captures the hash in them. The sweep deletes no files with
 * other paths.
 */
export const SERVER_PATH = /^(?:bundles\/)?([0-9a-f]{64})[./]/

/** Returns the paths that no row refers to. Each path must match SERVER_PATH. */
export async function listOrphans(db: Handle, paths: string[]): Promise<string[]> {
  if (paths.length === 0) return []
  const hashes = [...new Set(paths.map(hashOf))]
  const files = new Set([
    ...(await listColumn(db, 'files', 'path', { path: paths })),
    ...(await listColumn(db, 'files', 'thumbnail_path', { thumbnail_path: paths })),
    ...(await listColumn(db, 'picture_sizes', 'path', { path: paths })),
  ])
  const folders = new Set(
    (await listColumn(db, 'renditions', 'path', { file_sha256: hashes })).map(folderOf),
  )
  const bundles = new Set(await listColumn(db, 'bundles', 'file_sha256', { file_sha256: hashes }))
  return paths.filter((path) => {
    if (path.startsWith('bundles/')) return !bundles.has(hashOf(path))
    // The row of a playlist covers all files in its folder, because the files that it lists have no rows.
    return !files.has(path) && !folders.has(folderOf(path))
  })
}

function hashOf(path: string): string {
  return SERVER_PATH.exec(path)?.[1] as string
}

/** Returns `ab12…/x/` for `ab12…/x/hls/720p.mp4`, and `path` itself when it is not in such a folder. */
export function folderOf(path: string): string {
  return /^[^/]+\/[^/]+\//.exec(path)?.[0] ?? path
}
