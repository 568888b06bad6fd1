/** Sitemaps (sitemaps.org): the addresses of public pages, for search engines. */
import { setImmediate } from 'node:timers/promises'
import type { Handle } from '../db/handle.ts'
import { escapeMarkup } from '../http/markup.ts'
import { Semaphore } from '../semaphore.ts'
import {
  findIdAfter,
  type IdRange,
  LAST,
  listContentAddresses,
  listCreatorAddresses,
  listPageAddresses,
  type ListKind,
} from './queries.ts'

const PER_FILE = 50_000
/** Rows per statement. */
const BATCH = 2000
/** Milliseconds for which the id ranges of the sitemap files are cached. The rows in the files are not cached. */
const RANGES_MS = 600_000
const PATHS = ['/', '/hype', '/swipe', '/jump', '/community', '/about', '/rules']
const OPEN = '<?xml version="1.0" encoding="utf-8"?>\n'
const XMLNS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

type File = { kind: 'pages' } | ({ kind: ListKind } & IdRange)

export class Sitemap {
  readonly #db: Handle
  readonly #base: string
  readonly #perFile: number
  /** Lets only one sitemap file at a time read rows, so that downloads do not delay other requests. */
  readonly #reading = new Semaphore(1)
  #files: { list: Promise<File[]>; since: number } | undefined

  constructor(db: Handle, base: string, perFile = PER_FILE) {
    this.#db = db
    this.#base = base
    this.#perFile = perFile
  }

  /** Returns the sitemap index. `now` is in monotonic milliseconds. */
  async indexXml(now: number): Promise<string> {
    const files = await this.#list(now)
    const lines = files.map(
      (_, index) =>
        `<sitemap><loc>${escapeMarkup(this.#base)}/sitemap-${index + 1}.xml</loc></sitemap>\n`,
    )
    return `${OPEN}<sitemapindex ${XMLNS}>\n${lines.join('')}</sitemapindex>\n`
  }

  /** Returns the parts of a file as text, or undefined when the index has no such file. Files are numbered from 1. */
  async openFile(number: number, now: number): Promise<AsyncIterable<string> | undefined> {
    const file = (await this.#list(now))[number - 1]
    return file && this.#parts(file)
  }

  async *#parts(file: File): AsyncGenerator<string> {
    yield `${OPEN}<urlset ${XMLNS}>\n`
    if (file.kind === 'pages') {
      yield PATHS.map((path) => this.#line(path)).join('')
      const pages = await listPageAddresses(this.#db)
      yield pages.map(({ slug, updated_at }) => this.#line(`/pages/${slug}`, updated_at)).join('')
    } else {
      const read = file.kind === 'contents' ? readContents : readCreators
      let { after } = file
      let left = this.#perFile
      while (left > 0) {
        const limit = Math.min(BATCH, left)
        const range = { after, last: file.last }
        const rows = await this.#reading.run(1, async () => {
          await setImmediate()
          return read(this.#db, range, limit)
        })
        yield rows
          .map(({ path, changedAt }) => (path === null ? '' : this.#line(path, changedAt)))
          .join('')
        after = rows.at(-1)?.id ?? file.last
        left = rows.length < limit ? 0 : left - limit
      }
    }
    yield '</urlset>\n'
  }

  #line(path: string, changedAt?: number | null): string {
    const changed =
      changedAt == null ? '' : `<lastmod>${new Date(changedAt).toISOString()}</lastmod>`
    return `<url><loc>${escapeMarkup(this.#base + path)}</loc>${changed}</url>\n`
  }

  #list(now: number): Promise<File[]> {
    if (!this.#files || now - this.#files.since > RANGES_MS) {
      const list = this.#findFiles()
      this.#files = { list, since: now }
      list.catch(() => (this.#files = undefined))
    }
    return this.#files.list
  }

  async #findFiles(): Promise<File[]> {
    const files: File[] = [{ kind: 'pages' }]
    for (const kind of ['creators', 'contents'] as const) {
      let after = ''
      for (;;) {
        const last = await findIdAfter(this.#db, kind, after, this.#perFile)
        // The last file has no upper bound, so that it contains rows that are added later.
        files.push({ kind, after, last: last ?? LAST })
        if (last === undefined) break
        after = last
      }
    }
    return files
  }
}

interface Address {
  id: string
  /** Null for pages that search engines must not list. */
  path: string | null
  changedAt: number | null
}

async function readContents(db: Handle, range: IdRange, limit: number): Promise<Address[]> {
  const rows = await listContentAddresses(db, range, limit)
  return rows.map(({ id, rating, is_indexed, updated_at }) => ({
    id,
    path: rating === 'adult' || !is_indexed ? null : `/contents/${id}`,
    changedAt: updated_at,
  }))
}

async function readCreators(db: Handle, range: IdRange, limit: number): Promise<Address[]> {
  const rows = await listCreatorAddresses(db, range, limit)
  return rows.map(({ id, handle, is_indexed, updated_at }) => ({
    id,
    path: is_indexed ? `/creators/${handle}` : null,
    changedAt: updated_at,
  }))
}
