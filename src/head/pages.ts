/** Reads the contents of the head of each page, as an anonymous viewer sees the page. */
import type { ContentDetailRecord, ContentRecord } from '../contents/schema.ts'
import type { Handle } from '../db/handle.ts'
import { statement } from '../db/statement.ts'
import type { Category } from '../db/tables.ts'
import { ApiError } from '../errors.ts'
import type { CoreDeps } from '../http/declaration.ts'
import { startOf, summaryOf } from '../http/markup.ts'
import type { Language } from '../messages/language.ts'
import type { SiteSettings } from '../site-settings.ts'
import type { PageFacts } from './facts.ts'
import {
  readContent,
  readContentList,
  readCreator,
  readCreatorContents,
  readFeatured,
  readFeed,
  readSitePage,
  readThread,
  readTimeline,
} from './first-answers.ts'
import { cardPreloadOf, isVeiled, leadPreloadOf, preloadOf, previewOf } from './picture.ts'
import { contentData, postData, profileData, siteData } from './structured.ts'
import { titleOf, word } from './titles.ts'

/** Maximum code points of an article in the `noscript` element. */
const TEXT_MAX = 5000
const TITLE_MAX = 70
/** Number of popular games that the games page requests first. */
const SHELF = 8
/** Minimum number of a creator's contents for the profile to feature one of them, as in the client. */
const FEATURED_FROM = 4
/** Minimum number of contents for the home page to begin with the popular ones, as in the client. */
const ROWS_FROM = 8

export interface PageRequest {
  deps: Pick<CoreDeps, 'db' | 'replica'>
  /** Address of the site, without a slash at the end. */
  base: string
  site: { name: string; description: string }
  adultDefault: SiteSettings['adult_default']
  /** Pattern of the path, such as `/contents/$id`. */
  pattern: string
  /** Decoded parameters of the path. */
  params: Record<string, string>
  query: Record<string, unknown>
  language: Language
}

/**
 * Returns the contents of the head of a page. Errors: the API's error when an anonymous viewer cannot read the page's
 * data.
 */
export function readFacts(request: PageRequest): Promise<PageFacts> {
  const read = READERS[request.pattern]
  return read ? read(request, request.params) : Promise.resolve(plainFacts(request))
}

type Reader = (request: PageRequest, params: Record<string, string>) => Promise<PageFacts>

const READERS: Record<string, Reader> = {
  '/': async (request) => ({
    ...(await listFacts(request, undefined, word('home', request.language))),
    path: '/',
    structured: siteData(request.base, request.site),
  }),
  '/hype': (request) => listFacts(request, 'hype', word('hype', request.language)),
  '/swipe': (request) => listFacts(request, 'swipe', word('swipe', request.language)),
  '/jump': async ({ deps, language }) => {
    const query = { sort: 'popular', per_page: String(SHELF) }
    const { data, first } = await readList(deps, (db) => readFeed(db, 'jump', query))
    return { title: word('jump', language), path: '/jump', links: data.feeds.map(toLink), first }
  },
  '/tags/$tag': (request, { tag = '' }) => tagFacts(request, tag),
  '/community': async ({ deps, language }) => {
    const { data, first } = await readList(deps, readTimeline)
    const links = data.posts.map(({ id, body }) => ({
      title: summaryOf(body, TITLE_MAX),
      path: `/posts/${id}`,
    }))
    return { title: word('community', language), path: '/community', links, first }
  },
  '/contents/$id': async ({ deps, base, language, adultDefault }, { id = '' }) => {
    const { data, first } = await readContent(deps.db, id, language)
    const { content } = data
    const isIndexed =
      content.visibility === 'public' &&
      content.rating !== 'adult' &&
      (await isUserIndexed(deps.db, content.creator.id))
    const facts = contentFacts(base, content, adultDefault)
    return { ...facts, contentType: content.type, isIndexed, first }
  },
  '/creators/$handle': async ({ deps, base, query }, { handle = '' }) => {
    const { data, first } = await readCreator(deps.db, handle)
    const { creator } = data
    const contents = await readCreatorContents(deps.db, creator.handle)
    const isFirstList = query.tab === undefined && query.sort === undefined
    const hasFeatured = isFirstList && creator.content_count >= FEATURED_FROM
    const featured = hasFeatured ? [await readFeatured(deps.db, creator.handle)] : []
    return {
      ...creatorFacts(base, creator),
      preload: leadPreloadOf(featured[0]?.data.feeds[0]),
      isIndexed: await isUserIndexed(deps.db, creator.id),
      first: [first, contents.first, ...featured.map((answer) => answer.first)].flat(),
    }
  },
  '/creators/$handle/followers': (request, { handle = '' }) => {
    return followListFacts(request, handle, 'followers')
  },
  '/creators/$handle/following': (request, { handle = '' }) => {
    return followListFacts(request, handle, 'following')
  },
  '/posts/$id': async ({ deps, base }, { id = '' }) => {
    const { data, first } = await readThread(deps.db, id)
    const { post, replies } = data
    const { author, body } = post
    // The client shows the replies to a deleted post, but such a post has no text for search engines.
    if (!author) throw new ApiError('POST_NOT_FOUND')
    return {
      title: `${author.display_name}: ${summaryOf(body, TITLE_MAX)}`,
      description: body,
      path: `/posts/${post.id}`,
      type: 'article',
      contentType: 'post',
      picture: pictureOf(author.avatar_url),
      structured: postData(base, post, replies),
      author: authorOf(author),
      text: body,
      isIndexed: await isUserIndexed(deps.db, author.id),
      first,
    }
  },
  '/pages/$slug': async ({ deps, language }, { slug = '' }) => {
    const { data, first } = await readSitePage(deps.db, slug, language)
    const { title, body } = data.page
    return { title, description: body, path: `/pages/${slug}`, type: 'article', text: body, first }
  },
}

/** Reads a list from the replica if there is one, as the API does for anonymous viewers. */
function readList<T>({ db, replica }: PageRequest['deps'], read: (db: Handle) => Promise<T>) {
  return replica ? replica.read(read) : read(db)
}

function plainFacts({ pattern, params, query, language }: PageRequest): PageFacts {
  const path = pattern.replace(/\$(\w+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  const facts = { ...titleOf(pattern, language), path }
  if (pattern !== '/search') return facts
  // Search engines may list the search page, but not pages of results.
  return query['q'] === undefined
    ? { ...facts, text: word('searchHelp', language) }
    : { ...facts, isIndexed: false }
}

async function listFacts(
  { deps, query }: PageRequest,
  category: Category | undefined,
  title: string,
): Promise<PageFacts> {
  // The home page begins with popular contents.
  const sort = category === undefined ? 'popular' : query.sort
  const { data, first } = await readList(deps, (db) => readContentList(db, category, { sort }))
  const isFirst =
    category === undefined && (query.sort === 'popular' || data.pagination.total >= ROWS_FROM)
  return {
    title,
    path: `/${category ?? ''}`,
    preload: isFirst ? cardPreloadOf(data.feeds[0]) : undefined,
    links: data.feeds.map(toLink),
    first,
  }
}

async function tagFacts({ deps, query }: PageRequest, tag: string): Promise<PageFacts> {
  const { sort } = query
  const { data, first } = await readList(deps, (db) =>
    readContentList(db, undefined, { sort, tag }),
  )
  const path = `/tags/${encodeURIComponent(tag)}`
  // An address can contain any text as its tag, so search engines may list only tags with content.
  const isIndexed = data.feeds.length > 0
  return {
    title: `#${tag}`,
    path,
    feed: `${path}/feed.atom`,
    isIndexed,
    links: data.feeds.map(toLink),
    first,
  }
}

function toLink({ id, title }: ContentRecord) {
  return { title, path: `/contents/${id}` }
}

function authorOf({ display_name, handle }: { display_name: string; handle: string }) {
  return { name: display_name, path: `/creators/${handle}` }
}

/** Returns an avatar as the picture of a page. Avatars are small, unlike thumbnails of content. */
function pictureOf(url: string | null) {
  return url === null ? undefined : { url, isLarge: false }
}

const TYPES = { video: 'video.other', audio: 'music.song', article: 'article' } as const

function contentFacts(
  base: string,
  content: ContentDetailRecord,
  adultDefault: SiteSettings['adult_default'],
): PageFacts {
  const { id, type, title, description, body, creator, rating, embedding } = content
  const isAdult = rating === 'adult'
  // Previews of adult content show the picture of the site.
  const own = isAdult ? null : previewOf(content)
  const picture = own === null ? pictureOf(creator.avatar_url) : { url: own, isLarge: true }
  const text = body === null ? description : startOf(body, TEXT_MAX)
  const ogType = TYPES[type as keyof typeof TYPES]
  return {
    title,
    description: description ?? body,
    path: `/contents/${id}`,
    ...(ogType && { type: ogType }),
    picture: isAdult ? undefined : picture,
    video: isAdult ? undefined : videoOf(content),
    preload: preloadOf(content),
    isAdult,
    isVeiled: isVeiled(content),
    isEmbeddable: embedding === 'everywhere' && !(isAdult && adultDefault === 'hide'),
    structured: contentData(base, content, own),
    author: authorOf(creator),
    text,
  }
}

/** Returns the file for `og:video`. Players of other sites accept MP4 but not HLS. */
function videoOf({ type, media: [file] }: ContentRecord): PageFacts['video'] {
  if (type !== 'video' || !file?.url || file.mime_type !== 'video/mp4') return undefined
  return { url: file.url, width: file.width, height: file.height }
}

function creatorFacts(base: string, creator: Parameters<typeof profileData>[1]): PageFacts {
  const { handle, display_name, bio, avatar_url } = creator
  return {
    title: `${display_name} (@${handle})`,
    description: bio,
    path: `/creators/${handle}`,
    type: 'profile',
    picture: pictureOf(avatar_url),
    feed: `/creators/${handle}/feed.atom`,
    structured: profileData(base, creator),
    text: bio,
  }
}

async function followListFacts(
  { deps, base, language }: PageRequest,
  handle: string,
  side: 'followers' | 'following',
): Promise<PageFacts> {
  const { data } = await readCreator(deps.db, handle)
  const { structured: _, feed: __, text: ___, ...facts } = creatorFacts(base, data.creator)
  return {
    ...facts,
    title: `${facts.title}: ${word(side, language)}`,
    path: `${facts.path}/${side}`,
    isIndexed: false,
  }
}

const preference = statement((q, p: { id: string }) =>
  q.selectFrom('users').select('is_indexed').where('id', '=', p.id),
)

async function isUserIndexed(db: Handle, id: string): Promise<boolean> {
  return (await db.first(preference, { id }))?.is_indexed === 1
}
