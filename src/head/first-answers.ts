/**
 * API responses that the server embeds in pages: those that the client would request first, as an anonymous viewer
 * receives them.
 */
import { getContent } from '../contents/rules.ts'
import { ContentResult, Feed } from '../contents/schema.ts'
import { listCreatorContents, requireCreator } from '../creators/rules.ts'
import { CreatorContentsQuery, CreatorResult, toCreator } from '../creators/schema.ts'
import type { Handle } from '../db/handle.ts'
import { isId } from '../db/ids.ts'
import type { Category } from '../db/tables.ts'
import { ApiError } from '../errors.ts'
import { listFeeds } from '../feeds/rules.ts'
import { FeedQuery } from '../feeds/schema.ts'
import { serialiser } from '../http/answer.ts'
import { readQuery, validQuery } from '../http/query.ts'
import { PREFIX } from '../http/route.ts'
import type { Language } from '../messages/language.ts'
import { getPage } from '../pages/rules.ts'
import { PageAnswer } from '../pages/schema.ts'
import { getThread, listPosts } from '../posts/lists.ts'
import {
  Feed as Timeline,
  FeedQuery as TimelineQuery,
  Thread,
  ThreadQuery,
} from '../posts/schema.ts'

/** Number of content items that the client requests per page of a list. */
const PER_PAGE = 24

const toFeed = serialiser(Feed)
const toContentResult = serialiser(ContentResult)
const toCreatorResult = serialiser(CreatorResult)
const toTimeline = serialiser(Timeline)
const toThread = serialiser(Thread)
const toPageAnswer = serialiser(PageAnswer)

/** Returns the data and the API response to embed in the HTML. */
function answered<T>(data: T, toJson: (data: unknown) => string | null, path: string) {
  return { data, first: [{ url: PREFIX + path, data: toJson(data) ?? '' }] }
}

/**
 * Returns a page of a feed and the API response to embed in the HTML. Without `category`, the feed contains all
 * categories. Errors: 422 for a tag that the API rejects.
 */
export async function readFeed(
  db: Handle,
  category: Category | undefined,
  query: Record<string, string>,
) {
  const input = validQuery(FeedQuery, readQuery(FeedQuery, query))
  const data = await listFeeds(db, null, category, input)
  const path = `/feeds${category === undefined ? '' : `/${category}`}`
  return answered(data, toFeed, `${path}?${new URLSearchParams(query).toString()}`)
}

/**
 * Returns the first contents of a home, category or tag page, and the API response to embed in the HTML. Treats
 * every `sort` except `popular` as `latest`, like the client without a session.
 */
export function readContentList(
  db: Handle,
  category: Category | undefined,
  { sort, tag }: { sort?: unknown; tag?: string },
) {
  return readFeed(db, category, {
    page: '1',
    per_page: String(PER_PAGE),
    sort: sort === 'popular' ? sort : 'latest',
    ...(tag !== undefined && { tag }),
  })
}

/** Returns a content item, and the API response that its page embeds. Errors: 404 CONTENT_NOT_FOUND. */
export async function readContent(db: Handle, id: string, language: Language) {
  if (!isId('cnt', id)) throw new ApiError('CONTENT_NOT_FOUND')
  const { content } = await getContent(db, id, null, language)
  return answered({ content }, toContentResult, `/contents/${id}`)
}

/** Returns a creator's public profile, and the API response that its page embeds. Errors: 404 CREATOR_NOT_FOUND. */
export async function readCreator(db: Handle, handle: string) {
  const creator = toCreator(await requireCreator(db, handle, null))
  return answered({ creator }, toCreatorResult, `/creators/${handle}`)
}

/** Returns a creator's newest contents, and the API response that the profile embeds. */
export function readCreatorContents(db: Handle, handle: string) {
  return readCreatorList(db, handle, { page: '1', per_page: String(PER_PAGE) })
}

/** Returns a creator's most popular content item, which the profile features, and the API response that it embeds. */
export function readFeatured(db: Handle, handle: string) {
  return readCreatorList(db, handle, { sort: 'popular', per_page: '1' })
}

async function readCreatorList(db: Handle, handle: string, query: Record<string, string>) {
  const input = validQuery(CreatorContentsQuery, readQuery(CreatorContentsQuery, query))
  const data = await listCreatorContents(db, handle, null, input)
  return answered(
    data,
    toFeed,
    `/creators/${handle}/contents?${new URLSearchParams(query).toString()}`,
  )
}

export async function readTimeline(db: Handle) {
  const query = validQuery(TimelineQuery, readQuery(TimelineQuery, {}))
  return answered(await listPosts(db, null, query), toTimeline, '/feed')
}

/** Returns the thread of a post, and the API response that its page embeds. Errors: 404 POST_NOT_FOUND. */
export async function readThread(db: Handle, id: string) {
  if (!isId('pst', id)) throw new ApiError('POST_NOT_FOUND')
  const query = validQuery(ThreadQuery, readQuery(ThreadQuery, {}))
  return answered(await getThread(db, null, id, query), toThread, `/posts/${id}/thread`)
}

/**
 * Returns a page that the operator wrote, and the API response that it embeds. Errors: 422 for an invalid slug; 404
 * PAGE_NOT_FOUND.
 */
export async function readSitePage(db: Handle, slug: string, language: Language) {
  const page = await getPage(db, slug, language)
  return answered({ page }, toPageAnswer, `/pages/${slug}`)
}
