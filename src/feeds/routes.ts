import { exampleContent, exampleFeed } from '../contents/example.ts'
import { Feed } from '../contents/schema.ts'
import type { Viewer } from '../http/auth.ts'
import type { CoreDeps } from '../http/declaration.ts'
import type { Api } from '../http/route.ts'
import { listRecommendations } from './recommendations.ts'
import { listFeeds, listMyContents, listMyReactions } from './rules.ts'
import {
  AuthoredQuery,
  type FeedInput,
  FeedQuery,
  ReactedQuery,
  Recommendations,
  RecommendationsQuery,
} from './schema.ts'

const feed = {
  tag: 'Feeds',
  auth: {
    mode: 'optional',
    refuse: ({ viewer, query }: { viewer: Viewer | null; query: Partial<FeedInput> }) =>
      !viewer && (query.sort === 'following' || query.sort === 'tags') ? 'UNAUTHORIZED' : undefined,
  },
  query: FeedQuery,
  data: Feed,
  example: exampleFeed,
  errors: ['UNAUTHORIZED'],
} as const
const allCategories = {
  ...feed,
  indexes: [
    'content_stats_latest',
    'content_stats_hot',
    'content_tags_latest',
    'content_tags_hot',
    'follows_by_follower',
    'content_stats_followed',
  ],
}
const category = {
  ...feed,
  indexes: [
    'content_stats_latest_in',
    'content_stats_hot_in',
    'content_tags_latest_in',
    'content_tags_hot_in',
    'follows_by_follower',
    'content_stats_followed_in',
  ],
}

const own = { tag: 'Me', auth: 'user', data: Feed, example: exampleFeed } as const
const authored = {
  ...own,
  query: AuthoredQuery,
  indexes: ['contents_by_creator', 'contents_by_creator_status'],
}
const reacted = { ...own, query: ReactedQuery }
const liked = { ...reacted, indexes: ['likes_by_user'] }
const bookmarked = { ...reacted, indexes: ['bookmarks_by_user'] }

export function registerFeeds(api: Api<CoreDeps>): void {
  api.get('/contents/:id/recommendations', {
    id: 'listRecommendations',
    summary: 'List content items to show after this one',
    tag: 'Contents',
    auth: 'optional',
    params: { id: { id: 'cnt', missing: 'CONTENT_NOT_FOUND' } },
    query: RecommendationsQuery,
    data: Recommendations,
    errors: ['CONTENT_NOT_FOUND'],
    cache: 30,
    indexes: ['content_tags_latest', 'likes_by_user', 'content_stats_by_creator'],
    example: { feeds: [exampleContent], has_more: true },
    handler: ({ db, viewer, params, query }) => listRecommendations(db, params.id, viewer, query),
  })

  api.get('/feeds', {
    ...allCategories,
    id: 'listFeeds',
    summary: 'List public content of all categories',
    handler: ({ db, viewer, query }) => listFeeds(db, viewer, undefined, query),
  })
  api.get('/feeds/hype', {
    ...category,
    id: 'listHypeFeed',
    summary: 'List public content of any length',
    handler: ({ db, viewer, query }) => listFeeds(db, viewer, 'hype', query),
  })
  api.get('/feeds/swipe', {
    ...category,
    id: 'listSwipeFeed',
    summary: 'List public short vertical content',
    handler: ({ db, viewer, query }) => listFeeds(db, viewer, 'swipe', query),
  })
  api.get('/feeds/jump', {
    ...category,
    id: 'listJumpFeed',
    summary: 'List public games',
    handler: ({ db, viewer, query }) => listFeeds(db, viewer, 'jump', query),
  })

  api.get('/users/me/contents', {
    ...authored,
    id: 'listMyContents',
    summary: 'List your own content items, newest first. Archived ones only on request',
    handler: ({ db, viewer, query, language }) => listMyContents(db, viewer, query, language),
  })
  api.get('/users/me/authored', {
    ...authored,
    id: 'listMyAuthoredContents',
    summary: 'List your own content items. Same as /users/me/contents',
    handler: ({ db, viewer, query, language }) => listMyContents(db, viewer, query, language),
  })
  api.get('/users/me/likes', {
    ...liked,
    id: 'listMyLikes',
    summary: 'List content you like, the latest like first',
    handler: ({ db, viewer, query }) => listMyReactions(db, viewer, 'likes', query),
  })
  api.get('/users/me/liked', {
    ...liked,
    id: 'listMyLikedContents',
    summary: 'List content you like. Same as /users/me/likes',
    handler: ({ db, viewer, query }) => listMyReactions(db, viewer, 'likes', query),
  })
  api.get('/users/me/bookmarks', {
    ...bookmarked,
    id: 'listMyBookmarks',
    summary: 'List content you bookmarked, the latest bookmark first',
    handler: ({ db, viewer, query }) => listMyReactions(db, viewer, 'bookmarks', query),
  })
  api.get('/users/me/bookmarked', {
    ...bookmarked,
    id: 'listMyBookmarkedContents',
    summary: 'List content you bookmarked. Same as /users/me/bookmarks',
    handler: ({ db, viewer, query }) => listMyReactions(db, viewer, 'bookmarks', query),
  })
}
