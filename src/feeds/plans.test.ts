/**
 * Every list takes its rows from an index, in the order of that index. On SQLite the plan does not
 * depend on the rows, so it can be asserted.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ENGINE, startApp } from '../../test/app.ts'
import { countPeople, listPeople, listWorksOf } from '../creators/queries.ts'
import type { Handle } from '../db/handle.ts'
import type { Statement } from '../db/statement.ts'
import { countFollowing, listFollowing, listFollowingTagged } from './following.ts'
import { countAuthored, countMarked, listAuthored, listMarked } from './mine.ts'
import { countTagged, countWorks, listTagged, listWorks } from './queries.ts'

const SORT = 'USE TEMP B-TREE FOR ORDER BY'
const range = { limit: 20, offset: 0 }

describe('on SQLite', { skip: ENGINE !== 'sqlite' }, async () => {
  const app = await startApp()

  /** The plans of all statements that `run` uses, which finds no rows. */
  async function planOf(run: (db: Handle) => Promise<unknown>): Promise<string[]> {
    const plan: string[] = []
    const explain = async ({ compiled }: Statement<never, unknown>) => {
      const rows = await app.sql(`explain query plan ${compiled('sqlite').sql}`)
      plan.push(...rows.map(({ detail }) => String(detail)))
    }
    const handle = {
      all: async (statement: Statement<never, unknown>) => {
        await explain(statement)
        return []
      },
      first: explain,
    }
    await run(handle as unknown as Handle)
    return plan
  }

  test('the plain feeds come from a covering index each, and nothing is sorted', async () => {
    const expected = {
      latest: ['content_stats_latest', 'content_stats_latest_in (category=?)'],
      popular: ['content_stats_hot', 'content_stats_hot_in (category=?)'],
    }
    for (const order of ['latest', 'popular'] as const) {
      const [all, one] = expected[order]
      assert.deepEqual(await planOf((db) => listWorks(db, order, undefined, range)), [
        `SCAN content_stats USING COVERING INDEX ${all}`,
      ])
      assert.deepEqual(await planOf((db) => listWorks(db, order, 'swipe', range)), [
        `SEARCH content_stats USING COVERING INDEX ${one}`,
      ])
    }
    assert.deepEqual(await planOf((db) => countWorks(db, 'swipe')), [
      'SEARCH category_totals USING PRIMARY KEY (category=?)',
    ])
  })

  test('a tag is read in the order of its own index; a common one by rank', async () => {
    const tags = { tag: 'a', category: undefined, from: 'tags' } as const
    assert.deepEqual(await planOf((db) => listTagged(db, 'latest', tags, range)), [
      'SEARCH tags USING COVERING INDEX content_tags_latest (tag=?)',
      'SEARCH works USING PRIMARY KEY (content_id=?)',
    ])
    const common = { ...tags, from: 'works' } as const
    assert.deepEqual(await planOf((db) => listTagged(db, 'popular', common, range)), [
      'SCAN works USING COVERING INDEX content_stats_hot',
      'SEARCH tags USING COVERING INDEX content_tags_by_content (content_id=? AND tag=?)',
    ])
    assert.deepEqual(await planOf((db) => countTagged(db, 'a', undefined)), [
      'SEARCH content_tags USING COVERING INDEX content_tags_latest (tag=?)',
    ])
  })

  test('the feed of followed creators looks at no work but through its creator', async () => {
    for (const [category, index] of [
      [undefined, 'content_stats_by_creator (creator_id=?'],
      ['jump', 'content_stats_by_creator_in (creator_id=? AND category=?'],
    ] as const) {
      const plan = await planOf((db) => listFollowing(db, 'u', category, range))
      assert.ok(
        plan.includes('SEARCH follows USING COVERING INDEX follows_by_follower (follower_id=?)'),
      )
      assert.ok(plan.includes(`SEARCH work USING COVERING INDEX ${index})`), plan.join('\n'))
      assert.ok(plan.includes(`SEARCH works USING COVERING INDEX ${index} AND published_at>?)`))
      assert.deepEqual(
        plan.filter((step) => step.startsWith('SCAN')),
        ['SCAN recent', 'SCAN recent'],
      )
    }
    const tagged = { viewerId: 'u', tag: 'a', category: undefined, from: 'tags' } as const
    assert.ok(!(await planOf((db) => listFollowingTagged(db, tagged, range))).includes(SORT))
    assert.deepEqual(await planOf((db) => countFollowing(db, 'u', undefined)), [
      'SEARCH follows USING COVERING INDEX follows_by_follower (follower_id=?)',
      'SEARCH counts USING PRIMARY KEY (user_id=?)',
    ])
  })

  test('own lists and the lists of a creator neither scan nor sort', async () => {
    const lists: ((db: Handle) => Promise<unknown>)[] = [
      (db) => listAuthored(db, 'u', undefined, range),
      (db) => listAuthored(db, 'u', 'draft', range),
      (db) => countAuthored(db, 'u', undefined),
      (db) => countAuthored(db, 'u', 'draft'),
      (db) => listMarked(db, 'likes', 'u', range),
      (db) => listMarked(db, 'bookmarks', 'u', range),
      (db) => countMarked(db, 'likes', 'u'),
      (db) => listWorksOf(db, 'u', range),
      (db) => listPeople(db, 'followers', 'u', range),
      (db) => listPeople(db, 'following', 'u', range),
    ]
    for (const list of lists) {
      const plan = await planOf(list)
      assert.ok(plan.length > 0)
      assert.ok(
        plan.every((step) => step.startsWith('SEARCH')),
        plan.join('\n'),
      )
    }
    const total = await planOf((db) => countPeople(db, 'followers', 'u'))
    assert.ok(total.includes('SCAN users USING COVERING INDEX users_suspended'), total.join('\n'))
  })
})
