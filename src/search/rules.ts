import { tagKey } from '../contents/schema.ts'
import type { Handle } from '../db/handle.ts'
import type { Viewer } from '../http/auth.ts'
import { offsetOf } from '../http/page.ts'
import { type Query, readSearch } from '../indexing/tokens.ts'
import { findUserByHandle } from '../users/accounts.ts'
import { HANDLE, keyOf } from '../users/schema.ts'
import { collect, type Found, FOUND_MAX, type Source, sortFound } from './collect.ts'
import { contentSource, type Filters, loadFoundContents } from './contents.ts'
import { creatorSource, listCreatorsByPrefix, loadFoundCreators } from './creators.ts'
import { loadFoundPosts, postSource } from './posts.ts'
import { sampleOf } from './sample.ts'
import { type Outcome, type SearchInput, searchPagination } from './schema.ts'
import { listTagsByPrefix, loadFoundTags, tagSource } from './tags.ts'

const SUGGESTIONS_MAX = 5

interface Request {
  db: Handle
  query: Query
  input: SearchInput
  viewerId: string | null
}

/** Returns the ids of the page, and the pagination of the list. */
function pageOf(found: readonly Found[], input: SearchInput, sorted: readonly Found[]) {
  const { limit, offset } = offsetOf(input)
  return {
    ids: sorted.slice(offset, offset + limit).map(({ id }) => id),
    pagination: searchPagination(input, found.length),
  }
}

const NO_QUERY: Query = { terms: [], exclusions: [] }

async function sampleFor(db: Handle, kind: SearchInput['kind']) {
  if (kind === 'tags') return []
  const sources = {
    contents: () => contentSource(db, NO_QUERY, {}),
    creators: () => creatorSource(db, NO_QUERY),
    posts: () => postSource(db, NO_QUERY),
  }
  return sampleOf(db, kind, sources[kind]())
}

async function findPage(source: Source, { db, query, input }: Request, isAscending = false) {
  const found = await collect(source, query, await sampleFor(db, input.kind))
  return pageOf(found, input, sortFound(found.slice(0, FOUND_MAX), input.sort, isAscending))
}

/** Returns the filters, or undefined when no user has the handle `creator`, so that no content matches. */
async function readFilters(db: Handle, input: SearchInput): Promise<Filters | undefined> {
  const { category, type, tag, creator } = input
  const filters: Filters = { category, type, tag: tag && tagKey(tag) }
  if (creator === undefined) return filters
  const user = HANDLE.test(creator) ? await findUserByHandle(db, keyOf(creator)) : undefined
  return user && { ...filters, creatorId: user.id }
}

async function searchContents(request: Request) {
  const { db, query, input, viewerId } = request
  const filters = await readFilters(db, input)
  if (!filters) return { feeds: [], pagination: searchPagination(input, 0) }
  const { ids, pagination } = await findPage(contentSource(db, query, filters), request)
  return { feeds: await loadFoundContents(db, query, ids, viewerId), pagination }
}

const NOTHING = { date: 0, popularity: 0, score: 0 }

/** Searches creators. With `sort=relevance`, first lists the creator whose handle equals the search text. */
async function searchCreators({ db, query, input, viewerId }: Request) {
  const sample = await sampleFor(db, input.kind)
  const found = await collect(creatorSource(db, query), query, sample)
  const exact = HANDLE.test(input.q) ? await findUserByHandle(db, keyOf(input.q)) : undefined
  const sorted = sortFound(found.slice(0, FOUND_MAX), input.sort)
  if (exact && input.sort === 'relevance') {
    const index = sorted.findIndex(({ id }) => id === exact.id)
    const [first] = index === -1 ? [] : sorted.splice(index, 1)
    // Lists the creator with exactly this handle even when the newest FOUND_MAX rows lack that creator.
    if (first || found.length > FOUND_MAX) sorted.unshift(first ?? { ...NOTHING, id: exact.id })
  }
  const { ids, pagination } = pageOf(found, input, sorted.slice(0, FOUND_MAX))
  return { users: await loadFoundCreators(db, query, ids, viewerId), pagination }
}

async function searchTags(request: Request) {
  const { ids, pagination } = await findPage(tagSource(request.db, request.query), request, true)
  return { tags: await loadFoundTags(request.db, ids), pagination }
}

async function searchPosts(request: Request) {
  const { db, query, viewerId } = request
  const { ids, pagination } = await findPage(postSource(db, query), request)
  return { posts: await loadFoundPosts(db, query, ids, viewerId), pagination }
}

const SEARCHES: Record<SearchInput['kind'], (request: Request) => Promise<Outcome>> = {
  contents: searchContents,
  creators: searchCreators,
  tags: searchTags,
  posts: searchPosts,
}

/**
 * Returns a page of the rows that match and that the viewer may see. If more than FOUND_MAX match, lists only the
 * newest rows, or the most used tags.
 */
export function listSearchResults(db: Handle, viewer: Viewer | null, input: SearchInput) {
  return SEARCHES[input.kind]({
    db,
    query: readSearch(input.q),
    input,
    viewerId: viewer?.id ?? null,
  })
}

export async function listSuggestions(db: Handle, text: string) {
  const [users, tags] = await Promise.all([
    listCreatorsByPrefix(db, text, SUGGESTIONS_MAX),
    listTagsByPrefix(db, text, SUGGESTIONS_MAX),
  ])
  return { users, tags }
}
