import type { PlazaApi } from '../deps.ts'
import { exampleFeed } from './example.ts'
import { listFeed, listOwnContents, listOwnMarks } from './rules.ts'
import { AuthoredQuery, Feed, type FeedInput, FeedQuery, MarkedQuery } from './schema.ts'

const feed = {
  tag: 'Feeds',
  auth: 'optional',
  query: FeedQuery,
  needsSession: ({ sort }: Partial<FeedInput>) => sort === 'following',
  data: Feed,
  example: exampleFeed,
  errors: ['UNAUTHORIZED'],
  reads: 'replica',
} as const

const own = { tag: 'Own lists', auth: 'user', data: Feed, example: exampleFeed } as const
const authored = { ...own, query: AuthoredQuery }
const marked = { ...own, query: MarkedQuery }

export function registerFeeds(api: PlazaApi): void {
  api.get('/feeds', {
    ...feed,
    id: 'listFeeds',
    summary: 'List public content of all categories',
    handler: ({ db, viewer, query }) => listFeed(db, viewer, undefined, query),
  })
  api.get('/feeds/hype', {
    ...feed,
    id: 'listHypeFeed',
    summary: 'List public content of any length',
    handler: ({ db, viewer, query }) => listFeed(db, viewer, 'hype', query),
  })
  api.get('/feeds/swipe', {
    ...feed,
    id: 'listSwipeFeed',
    summary: 'List public short vertical content',
    handler: ({ db, viewer, query }) => listFeed(db, viewer, 'swipe', query),
  })
  api.get('/feeds/jump', {
    ...feed,
    id: 'listJumpFeed',
    summary: 'List public games',
    handler: ({ db, viewer, query }) => listFeed(db, viewer, 'jump', query),
  })

  api.get('/users/me/contents', {
    ...authored,
    id: 'listOwnContents',
    summary: 'List your own content items, newest first. Archived ones only on request',
    handler: ({ db, viewer, query }) => listOwnContents(db, viewer, query),
  })
  api.get('/users/me/authored', {
    ...authored,
    id: 'listAuthored',
    summary: 'List your own content items. Same as /users/me/contents',
    handler: ({ db, viewer, query }) => listOwnContents(db, viewer, query),
  })
  api.get('/users/me/likes', {
    ...marked,
    id: 'listOwnLikes',
    summary: 'List public content you like, the latest like first',
    handler: ({ db, viewer, query }) => listOwnMarks(db, viewer, 'likes', query),
  })
  api.get('/users/me/liked', {
    ...marked,
    id: 'listLiked',
    summary: 'List public content you like. Same as /users/me/likes',
    handler: ({ db, viewer, query }) => listOwnMarks(db, viewer, 'likes', query),
  })
  api.get('/users/me/bookmarks', {
    ...marked,
    id: 'listOwnBookmarks',
    summary: 'List public content you bookmarked, the latest bookmark first',
    handler: ({ db, viewer, query }) => listOwnMarks(db, viewer, 'bookmarks', query),
  })
  api.get('/users/me/bookmarked', {
    ...marked,
    id: 'listBookmarked',
    summary: 'List public content you bookmarked. Same as /users/me/bookmarks',
    handler: ({ db, viewer, query }) => listOwnMarks(db, viewer, 'bookmarks', query),
  })
}
