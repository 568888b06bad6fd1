/**
 * Checks that every list reads its rows in order from an index. On SQLite the plan does not depend on the
 * stored rows. On PostgreSQL sequential scans are disabled, so that the planner uses an index where one fits.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { countUnreadNotifications, listNotifications } from '../src/notifications/queries.ts'
import { listAuditEntries } from '../src/admin/queries.ts'
import { listComments } from '../src/comments/rules.ts'
import { listRelated } from '../src/contents/recommendation-queries.ts'
import { listCreatorContents, listCreatorUsers } from '../src/creators/rules.ts'
import type { Handle } from '../src/db/handle.ts'
import type { Statement } from '../src/db/statement.ts'
import { listConversationsOf, listMessageRows } from '../src/dm/queries.ts'
import { listPopular } from '../src/feeds/queries.ts'
import { listFeeds, listMyContents, listMyReactions } from '../src/feeds/rules.ts'
import type { FeedInput } from '../src/feeds/schema.ts'
import type { Viewer } from '../src/http/auth.ts'
import { listPostsOf, listReplies, listTimeline } from '../src/posts/queries.ts'
import { findMembers, listMembers } from '../src/users/members.ts'
import { listDeliveryRows } from '../src/webhooks/delivery-queries.ts'
import { ENGINE, startApp } from './app.ts'

const app = await startApp()
const viewer = { id: 'u', handle: 'person', role: 'user', tier: 'regular' } as Viewer
const first = { page: 1, per_page: 20 }
const deep = { page: 9, per_page: 30 }
const range = { limit: 20, offset: 40 }

/** Returns the query plans of all statements that `run` sends. `run` gets no rows as their result. */
async function planOf(run: (db: Handle) => Promise<unknown>): Promise<string[]> {
  const texts: string[] = []
  const note = ({ compiled }: Statement<never, unknown>) =>
    texts.push(compiled(ENGINE).sql.replaceAll('?', ENGINE === 'sqlite' ? '1' : '?'))
  const handle = {
    engine: ENGINE,
    all: async (statement: Statement<never, unknown>) => {
      note(statement)
      return []
    },
    first: async (statement: Statement<never, unknown>) => void note(statement),
  }
  // Some queries throw when they find no rows.
  await run(handle as unknown as Handle).catch(() => {})
  assert.ok(texts.length > 0)
  return (await Promise.all(texts.map(explain))).flat()
}

async function explain(text: string): Promise<string[]> {
  if (ENGINE === 'sqlite') {
    const rows = await app.sql(`explain query plan ${text}`)
    return rows.map(({ detail }) => String(detail))
  }
  const steps: string[] = []
  await app.db.script(async (run) => {
    const count = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)))
    await run('begin')
    try {
      for (const way of ['seqscan', 'bitmapscan', 'sort'])
        await run(`set local enable_${way} = off`)
      await run('set local plan_cache_mode = force_generic_plan')
      await run(`prepare asked as ${text}`)
      const nulls = count > 0 ? `(${Array(count).fill('null').join(', ')})` : ''
      const rows = await run(`explain (costs off) execute asked${nulls}`)
      steps.push(...rows.map((row) => String(row['QUERY PLAN']).trim()))
      await run('deallocate asked')
    } finally {
      await run('rollback')
    }
  })
  return steps
}

const feed =
  (query: Partial<FeedInput>, page = first, category?: 'hype') =>
  (db: Handle) =>
    listFeeds(db, viewer, category, { sort: 'latest', ...query, ...page })

/** Each list with the indexes that its plan must contain. */
const LISTS: [name: string, run: (db: Handle) => Promise<unknown>, ...indexes: string[]][] = [
  ['feed', feed({}), 'content_stats_latest'],
  ['feed, deep', feed({}, deep), 'content_stats_latest'],
  ['popular feed', feed({ sort: 'popular' }), 'content_stats_hot'],
  ['popular feed, deep', feed({ sort: 'popular' }, deep), 'content_stats_hot'],
  ['category', feed({}, first, 'hype'), 'content_stats_latest_in'],
  ['category, popular', feed({ sort: 'hot' }, first, 'hype'), 'content_stats_hot_in'],
  ['tag', feed({ tag: 'a' }), 'content_tags_latest'],
  ['tag, deep', feed({ tag: 'a' }, deep), 'content_tags_latest'],
  ['tag in a category', feed({ tag: 'a' }, first, 'hype'), 'content_tags_latest_in'],
  ['tag, popular', feed({ tag: 'a', sort: 'popular' }), 'content_tags_hot'],
  // `edge` finds the start of the page in the tag's index. The second scan begins there.
  ['tag, popular, deep', feed({ tag: 'a', sort: 'popular' }, deep), 'content_tags_hot', 'edge'],
  [
    'tag in a category, popular',
    feed({ tag: 'a', sort: 'popular' }, first, 'hype'),
    'content_tags_hot_in',
  ],
  [
    'tag in a category, popular, deep',
    feed({ tag: 'a', sort: 'popular' }, deep, 'hype'),
    'content_tags_hot_in',
    'edge',
  ],
  [
    'followed creators',
    feed({ sort: 'following' }),
    'follows_by_follower',
    'content_stats_by_creator',
  ],
  [
    'followed creators in a category',
    feed({ sort: 'following' }, deep, 'hype'),
    'follows_by_follower',
    'content_stats_by_creator_in',
  ],
  ['own likes', (db) => listMyReactions(db, viewer, 'likes', first), 'likes_by_user'],
  ['own likes, deep', (db) => listMyReactions(db, viewer, 'likes', deep), 'likes_by_user'],
  ['own bookmarks', (db) => listMyReactions(db, viewer, 'bookmarks', first), 'bookmarks_by_user'],
  ['own contents', (db) => listMyContents(db, viewer, first), 'contents_by_creator'],
  [
    'own drafts',
    (db) => listMyContents(db, viewer, { ...first, status: 'draft' }),
    'contents_by_creator_status',
  ],
  [
    'contents of a creator',
    (db) => listCreatorContents(db, 'person', viewer, deep),
    'content_stats_by_creator',
  ],
  [
    'followers',
    (db) => listCreatorUsers(db, { handle: 'person', side: 'followers' }, viewer, first),
    'follows_by_creator',
  ],
  [
    'following',
    (db) => listCreatorUsers(db, { handle: 'person', side: 'following' }, viewer, deep),
    'follows_by_follower',
  ],
  ['comments', (db) => listComments(db, 'c', { sort: 'newest', ...first }), 'comments_listed'],
  ['comments, deep', (db) => listComments(db, 'c', { sort: 'oldest', ...deep }), 'comments_listed'],
  [
    'top comments',
    (db) => listComments(db, 'c', { sort: 'newest', parent_id: 'none', ...first }),
    // On empty tables PostgreSQL may choose either index, because both cost the same.
    ENGINE === 'sqlite' ? 'comments_top' : 'comments_(top|listed)',
  ],
  [
    'replies',
    (db) =>
      listComments(db, 'c', {
        sort: 'newest',
        parent_id: 'cmt_01kazr6tq9e5dwz1m7b4kcj8sn',
        ...first,
      }),
    'comments_replies',
  ],
  [
    'related contents',
    (db) => listRelated(db, 'c', undefined, 20),
    'content_tags_latest',
    'likes_by_user',
    'content_stats_by_creator',
  ],
  ['popular contents', (db) => listPopular(db, 'hype', range), 'content_stats_hot_in'],
  ['notifications', (db) => listNotifications(db, 'u', range), 'notifications_by_user'],
  ['unread count', (db) => countUnreadNotifications(db, 'u'), 'notification_counts'],
  ['timeline', (db) => listTimeline(db, 'desc', { viewerId: '', limit: 21 }), 'posts_timeline'],
  [
    'timeline, deep',
    (db) => listTimeline(db, 'desc', { viewerId: '', before: '~', limit: 21 }),
    'posts_timeline',
  ],
  [
    'timeline, backward',
    (db) => listTimeline(db, 'asc', { viewerId: '', after: '!', limit: 21 }),
    'posts_timeline',
  ],
  ['timeline between two posts', (db) => listTimeline(db, 'desc', timeline), 'posts_timeline'],
  [
    'replies to a post',
    (db) => listReplies(db, { parentId: 'p', viewerId: 'u', after: '', limit: 20 }),
    'posts_replies',
  ],
  [
    'own posts',
    (db) => listPostsOf(db, { viewerId: 'u', before: '', limit: 20 }),
    'posts_by_author',
  ],
  [
    'conversations',
    (db) => listConversationsOf(db, 'u', undefined, 20),
    'conversation_members_latest',
  ],
  [
    'conversations, deep',
    (db) => listConversationsOf(db, 'u', 'c', 20),
    'conversation_members_latest',
  ],
  ['messages', (db) => listMessageRows(db, 'c', 'm', 20), 'messages_by_conversation'],
  ['users', (db) => listMembers(db, range), 'users'],
  ['user search', (db) => findMembers(db, 'text', range), 'users_search'],
  ['audit log', (db) => listAuditEntries(db, 'u', range), 'audit_entries_by_target'],
  ['deliveries', (db) => listDeliveryRows(db, 'w', range), 'webhook_deliveries_by_webhook'],
]
const timeline = { viewerId: 'u', after: '', before: '~', limit: 20 }

/** Names that a plan may scan: tables that always have few rows, aliases and CTEs. */
const SMALL =
  /^(category_totals|member_total|stars|counts|edge|page|newest|oldest|each|one|other|listed|found|liker|likers|creator|cut)\b/

describe('reads a list from an index without a table scan', () => {
  for (const [name, run, ...indexes] of LISTS) {
    test(name, async () => {
      const plan = await planOf(run)
      const text = plan.join('\n')
      for (const index of indexes) assert.match(text, new RegExp(`\\b${index}(_pkey)?\\b`), text)
      const scans = plan.filter((step) =>
        ENGINE === 'sqlite'
          ? step.startsWith('SCAN ') && !/USING (COVERING )?INDEX/.test(step)
          : /Seq Scan on /.test(step),
      )
      const scanned = scans.map((step) => step.replace(/^.*(SCAN|Seq Scan on) /, ''))
      assert.deepEqual(
        scanned.filter((table) => !SMALL.test(table) && !/^(\d+-ROW|CONSTANT)/.test(table)),
        [],
        text,
      )
    })
  }
})

test('reads stored totals instead of counting rows', {
  skip: ENGINE !== 'sqlite',
}, async () => {
  const plan = await planOf(feed({ tag: 'a' }, first, 'hype'))
  assert.ok(plan.includes('SEARCH tag_totals USING PRIMARY KEY (tag=? AND category=?)'))
  const followers = await planOf((db) =>
    listCreatorUsers(db, { handle: 'person', side: 'followers' }, viewer, first),
  )
  assert.ok(
    followers.every((step) => !/SEARCH follows .*\(creator_id=\? AND follower_id/.test(step)),
  )
})
