import type { Handle } from '../db/handle.ts'
import { FALSE, type Query, statement } from '../db/statement.ts'

/** Milliseconds for which the visibility of a file is cached. A suspension takes effect after at most this time. */
const CACHE_MS = 5000
const CACHE_MAX = 10_000

const ownersOf = (q: Query, p: { sha256: string; path: string }) =>
  q
    .selectFrom('files')
    .innerJoin('uploads', 'uploads.file_sha256', 'files.sha256')
    .innerJoin('users', 'users.id', 'uploads.owner_id')
    .select('users.id')
    .where((e) => e.or([e('files.sha256', '=', p.sha256), e('files.thumbnail_path', '=', p.path)]))
    .limit(1)

const shownBy = statement((q, p: { sha256: string; path: string }) =>
  ownersOf(q, p).where((e) =>
    e.or([
      e('users.is_suspended', '=', FALSE),
      // The logo of the site stays visible, even when its uploader is suspended.
      e('uploads.id', '=', e.selectFrom('site').select('site.logo_upload_id')),
    ]),
  ),
)
const uploadedBy = statement((q, p: { sha256: string; path: string }) => ownersOf(q, p))

export class HiddenFiles {
  readonly #db: Handle
  readonly #known = new Map<string, { isHidden: boolean; askedAt: number }>()

  constructor(db: Handle) {
    this.#db = db
  }

  /**
   * True when all uploaders of a file, or of the file behind a thumbnail or rendition, are suspended. Never
   * true for the logo of the site.
   */
  async has(path: string): Promise<boolean> {
    // The folder of renditions is named by the hash of the original file.
    const key = path.includes('/') ? path.slice(0, 64) : path
    const known = this.#known.get(key)
    const now = performance.now()
    if (known && now - known.askedAt < CACHE_MS) return known.isHidden
    const sha256 = key.slice(0, 64)
    // The folder of a picture's sizes is named like the picture's thumbnail, without the extension.
    const isHidden = await this.#find({ sha256, path: key === sha256 ? `${key}.webp` : key })
    this.#known.delete(key)
    this.#known.set(key, { isHidden, askedAt: now })
    if (this.#known.size > CACHE_MAX) this.#known.delete(this.#known.keys().next().value as string)
    return isHidden
  }

  async #find(file: { sha256: string; path: string }): Promise<boolean> {
    if (await this.#db.first(shownBy, file)) return false
    return (await this.#db.first(uploadedBy, file)) !== undefined
  }
}
