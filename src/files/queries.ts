/** Finds which stored files are in use by reading the rows of other features. */
import type { Db, Handle } from '../db/handle.ts'
import { statement } from '../db/statement.ts'

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

const sample = statement((q, p: { limit: number }) =>
  q.selectFrom('files').select('path').orderBy('sha256').limit(p.limit),
)

/** Returns the paths of up to `limit` files. Ordering by hash makes the sample random. */
export function listSample(db: Handle, limit: number) {
  return db.all(sample, { limit })
}

/** Returns the given paths that belong to a file or thumbnail in the database. */
export async function listFilePaths(db: Handle, paths: string[]): Promise<string[]> {
  const files = await db.all(byPath, { paths })
  const thumbnails = await db.all(byThumbnail, { paths })
  return [...files, ...thumbnails].flatMap(({ path }) => path ?? [])
}

/** Returns the paths of all renditions of these files. */
export async function listRenditionPaths(db: Handle, hashes: string[]): Promise<string[]> {
  return (await db.all(renditionsOf, { hashes })).map(({ path }) => path)
}

/** Returns the given hashes that belong to bundles in the database. */
export async function listBundles(db: Handle, hashes: string[]): Promise<string[]> {
  return (await db.all(bundlesOf, { hashes })).map(({ hash }) => hash)
}

/** Returns the creation time of the database in epoch milliseconds. */
export async function findBirth(db: Db): Promise<number> {
  const [row] = await db.script((run) =>
    run('select min(applied_at) as time from schema_migrations'),
  )
  return Number(row?.['time'])
}
