import type { Handle } from '../db/handle.ts'
import { statement } from '../db/statement.ts'

/** Matches the paths that the server creates. The sweep deletes no files with other paths. */
export const SERVER_PATH = /^(?:bundles\/)?([0-9a-f]{64})[./]/

const byPath = statement((q, p: { paths: string[] }, dialect) =>
  q.selectFrom('files').select('path').where(dialect.anyOf('path', p.paths)),
)

const byThumbnail = statement((q, p: { paths: string[] }, dialect) =>
  q
    .selectFrom('files')
    .select('thumbnail_path as path')
    .where(dialect.anyOf('thumbnail_path', p.paths)),
)

const renditionsOf = statement((q, p: { hashes: string[] }, dialect) =>
  q.selectFrom('renditions').select('path').where(dialect.anyOf('file_sha256', p.hashes)),
)

const bundlesOf = statement((q, p: { hashes: string[] }, dialect) =>
  q
    .selectFrom('bundles')
    .select('file_sha256 as hash')
    .where(dialect.anyOf('file_sha256', p.hashes)),
)

async function listFilePaths(db: Handle, paths: string[]): Promise<string[]> {
  const files = await db.all(byPath, { paths })
  const thumbnails = await db.all(byThumbnail, { paths })
  return [...files, ...thumbnails].flatMap(({ path }) => path ?? [])
}

async function listRenditionPaths(db: Handle, hashes: string[]): Promise<string[]> {
  return (await db.all(renditionsOf, { hashes })).map(({ path }) => path)
}

async function listBundles(db: Handle, hashes: string[]): Promise<string[]> {
  return (await db.all(bundlesOf, { hashes })).map(({ hash }) => hash)
}

/** Returns the paths that no row refers to. Each of `paths` must match SERVER_PATH. */
export async function listOrphans(db: Handle, paths: string[]): Promise<string[]> {
  if (paths.length === 0) return []
  const hashes = [...new Set(paths.map(hashOf))]
  const files = new Set(await listFilePaths(db, paths))
  const folders = new Set((await listRenditionPaths(db, hashes)).map(folderOf))
  const bundles = new Set(await listBundles(db, hashes))
  return paths.filter((path) => {
    if (path.startsWith('bundles/')) return !bundles.has(hashOf(path))
    // The row of a playlist covers all files in its folder, because the files that it lists have no rows.
    return !files.has(path) && !folders.has(folderOf(path))
  })
}

function hashOf(path: string): string {
  return SERVER_PATH.exec(path)?.[1] as string
}

/** Returns `ab12…/x/` for `ab12…/x/hls/720p.mp4`, and the path itself outside such a folder. */
export function folderOf(path: string): string {
  return /^[^/]+\/[^/]+\//.exec(path)?.[0] ?? path
}
