/** Reads the entries of the Atom feeds. Leaves out adult content. */
import type { ContentRecord } from '../contents/schema.ts'
import { listCreatorContents, requireCreator } from '../creators/rules.ts'
import type { Handle } from '../db/handle.ts'
import { listFeeds } from '../feeds/rules.ts'
import { FeedQuery } from '../feeds/schema.ts'
import { readQuery, validQuery } from '../http/query.ts'
import type { AtomFeed } from './atom.ts'

const ENTRIES = 30
/** Rows per page when the feed must read more than ENTRIES rows, because it leaves out adult content. */
const PER_PAGE = 100
/** Maximum pages of PER_PAGE rows that are read. Limits the work on sites with mostly adult content. */
const PAGES_MAX = 10

interface Site {
  base: string
  name: string
}

interface List {
  feeds: ContentRecord[]
  pagination: { has_next: boolean }
}

async function listEntries(
  read: (page: { page: number; per_page: number }) => Promise<List>,
): Promise<ContentRecord[]> {
  const readSome = async (page: { page: number; per_page: number }) => {
    const { feeds, pagination } = await read(page)
    return { some: feeds.filter(({ rating }) => rating !== 'adult'), ...pagination }
  }
  const first = await readSome({ page: 1, per_page: ENTRIES })
  if (first.some.length === ENTRIES || !first.has_next) return first.some
  const entries: ContentRecord[] = []
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const { some, has_next: hasNext } = await readSome({ page, per_page: PER_PAGE })
    entries.push(...some)
    if (entries.length >= ENTRIES || !hasNext) break
  }
  return entries.slice(0, ENTRIES)
}

export async function readSiteFeed(db: Handle, { base, name }: Site): Promise<AtomFeed> {
  const contents = await listEntries((page) =>
    listFeeds(db, null, undefined, { ...page, sort: 'latest' }),
  )
  return { base, title: name, path: '/feed.atom', page: '/', author: name, contents }
}

/** Reads the feed of a tag. Errors: 422 for a text that cannot be a tag. */
export async function readTagFeed(
  db: Handle,
  { base, name }: Site,
  tag: string,
): Promise<AtomFeed> {
  const query = validQuery(FeedQuery, readQuery(FeedQuery, { tag }))
  const contents = await listEntries((page) =>
    listFeeds(db, null, undefined, { ...query, ...page }),
  )
  const page = `/tags/${encodeURIComponent(tag)}`
  const title = `#${tag} - ${name}`
  return { base, title, path: `${page}/feed.atom`, page, author: name, contents }
}

/** Reads the feed of a creator. Errors: 404 CREATOR_NOT_FOUND. */
export async function readCreatorFeed(
  db: Handle,
  { base, name }: Site,
  sentHandle: string,
): Promise<AtomFeed> {
  const { handle, display_name } = await requireCreator(db, sentHandle, null)
  const contents = await listEntries((page) =>
    listCreatorContents(db, handle, null, { ...page, sort: 'latest' }),
  )
  const page = `/creators/${handle}`
  const title = `${display_name} - ${name}`
  return { base, title, path: `${page}/feed.atom`, page, author: display_name, contents }
}
