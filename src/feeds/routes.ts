import type { PlazaApi } from '../deps.ts'
import { exampleFeed } from './example.ts'
import { listFeeds, listMyContents, listMyReactions } from './rules.ts'
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

const own = { tag: 'Me', auth: 'user', data: Feed, example: exampleFeed } as const
const authored = { ...own, query: AuthoredQuery }
const marked = { ...own, query: MarkedQuery }

export function registerFeeds(api: PlazaApi): void {
  api.get('/feeds', {
    ...feed,
    id: 'listFeeds',
    summary: 'List public content of all categories',
    handler: ({ db, viewer, query }) => listFeeds(db, viewer, undefined, query),
  })
  api.get('/feeds/hype', {
    ...feed,
    id: 'listHypeFeed',
    summary: 'List public content of any length',
    handler: ({ db, viewer, query }) => listFeeds(db, viewer, 'hype', query),
  })
  api.get('/feeds/swipe', {
    ...feed,
    id: 'listSwipeFeed',
    summary: 'List public short vertical content',
    handler: ({ db, viewer, query }) => listFeeds(db, viewer, 'swipe', query),
  })
  api.get('/feeds/jump', {
    ...feed,
    id: 'listJumpFeed',
    summary: 'List public games',
    handler: ({ db, viewer, query }) => listFeeds(db, viewer, 'jump', query),
  })

  api.get('/users/me/contents', {
    ...authored,
    id: 'listMyContents',
    summary: 'List your own content items, newest first. Archived ones only on request',
    handler: ({ db, viewer, query }) => listMyContents(db, viewer, query),
  })
  api.get('/users/me/authored', {
    ...authored,
    id: 'listMyAuthoredContents',
    summary: 'List your own content items. Same as /users/me/contents',
    handler: ({ db, viewer, query }) => listMyContents(db, viewer, query),
  })
  api.get('/users/me/likes', {
    ...marked,
    id: 'listMyLikes',
    summary: 'List public content you like, the latest like first',
    handler: ({ db, viewer, query }) => listMyReactions(db, viewer, 'likes', query),
  })
  api.get('/users/me/liked', {
    ...marked,
    id: 'listMyLikedContents',
    summary: 'List public content you like. Same as /users/me/likes',
    handler: ({ db, viewer, query }) => listMyReactions(db, viewer, 'likes', query),
  })
  api.get('/users/me/bookmarks', {
    ...marked,
    id: 'listMyBookmarks',
    summary: 'List public content you bookmarked, the latest bookmark first',
    handler: ({ db, viewer, query }) => listMyReactions(db, viewer, 'bookmarks', query),
  })
  api.get('/users/me/bookmarked', {
    ...marked,
    id: 'listMyBookmarkedContents',
    summary: 'List public content you bookmarked. Same as /users/me/bookmarks',
    handler: ({ db, viewer, query }) => listMyReactions(db, viewer, 'bookmarks', query),
  })
}
