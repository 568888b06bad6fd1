/**
 * Compares all pages of every feed, and of the lists of each creator, with a simple model. The data does not change
 * during the test.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Actor, startApp } from '../../test/app.ts'
import { dataOf, idsOf } from '../../test/make.ts'
import { newId } from '../db/ids.ts'

interface Content {
  id: string
  creator: string
  category: 'hype' | 'swipe' | 'jump'
  type: 'article' | 'image' | 'game'
  tags: string[]
  access: 'public' | 'draft' | 'unlisted' | 'followers'
  publishedAt: number
  hotScore: number
}

const CREATORS = 8
/**
 * Number of items, enough for both query plans of the tag `common`: order by rank on the first pages, the tag's
 * index on later pages.
 */
const CONTENTS = 180
const START = 1_700_000_000_000
/** Days over which the items are spread. Popularity cannot outweigh an age difference of this many days. */
const DAYS = 40
const DAY_MS = 86_400_000

const app = await startApp()
const viewer = await app.user()
const creators: Actor[] = []
for (let i = 0; i < CREATORS; i++) creators.push(await app.user())
const contents = await plantContents()

/**
 * Creates content items with many equal times and scores. Creators have different numbers of items, and one
 * has none. About an eighth of the items are not public.
 */
async function plantContents(): Promise<Content[]> {
  let state = 42
  const below = (n: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
  const planted = Array.from({ length: CONTENTS }, (_, i): Content => {
    const day = below(DAYS)
    const publishedAt = START + day * DAY_MS
    const category = (['hype', 'hype', 'swipe', 'jump'] as const)[below(4)] ?? 'hype'
    return {
      id: newId('cnt', START + i),
      creator: (creators[Math.min(below(CREATORS), below(CREATORS - 1))] as Actor).id,
      category,
      type: category === 'jump' ? 'game' : category === 'hype' && i % 3 === 0 ? 'article' : 'image',
      tags: [
        ...(below(10) > 0 ? ['common'] : []),
        ...(i % 80 === 7 ? ['rare'] : []),
        ...(day < DAYS / 2 ? ['past'] : []),
      ],
      access: (['draft', 'unlisted', 'followers'] as const)[below(25)] ?? 'public',
      publishedAt,
      hotScore: publishedAt / 45_000_000 + below(25),
    }
  })
  const values = (row: (content: Content) => string) => planted.map(row).join(',')
  const published = (w: Content) =>
    w.access === 'draft'
      ? "'draft', 'public', null"
      : `'published', '${w.access}', ${w.publishedAt}`
  await app.sql(
    `insert into contents (id, creator_id, category, type, title, tags, status, visibility, published_at, created_at, updated_at) values
     ${values((w) => `('${w.id}', '${w.creator}', '${w.category}', '${w.type}', 'w', '[]', ${published(w)}, 1, 1)`)}`,
  )
  const access = {
    public: '1, null',
    draft: '0, null',
    unlisted: "0, 'anyone'",
    followers: "0, 'followers'",
  }
  await app.sql(
    `insert into content_stats (content_id, creator_id, category, type, is_public, shared_with, published_at, hot_score) values
     ${values((w) => `('${w.id}', '${w.creator}', '${w.category}', '${w.type}', ${access[w.access]}, ${w.access === 'draft' ? 'null' : w.publishedAt}, ${w.hotScore})`)}`,
  )
  const tags = planted
    .filter(isPublic)
    .flatMap((w) =>
      w.tags.map(
        (tag) =>
          `('${tag}', '${w.id}', '${w.category}', ${w.publishedAt}, ${Math.floor(w.hotScore * 8)})`,
      ),
    )
  await app.sql(
    `insert into content_tags (tag, content_id, category, published_at, score_bucket) values ${tags.join(',')}`,
  )
  await app.sql(
    `insert into tag_totals (tag, category, total)
     select tag, category, count(*) from content_tags group by tag, category`,
  )
  await app.sql(
    `update category_totals set total = (select count(*) from content_stats where is_public = 1 and content_stats.category = category_totals.category)`,
  )
  const count = (where: string) =>
    `(select count(*) from content_stats where creator_id = user_id and ${where})`
  const followed = (category: string) =>
    count(`category = '${category}' and (is_public = 1 or shared_with = 'followers')`)
  await app.sql(
    `update user_counts set content_count = ${count('is_public = 1')}, hype_count = ${followed('hype')},
     swipe_count = ${followed('swipe')}, jump_count = ${followed('jump')}`,
  )
  return planted
}

function isPublic({ access }: Content): boolean {
  return access === 'public'
}

const TAGS = ['common', 'rare', 'past', 'none']

/**
 * Replaces the viewer's follows of creators and tags. Writes only `follows` and `tag_follows`, because the feeds read
 * no other data about follows.
 */
async function followOnly(followed: Actor[], tags: string[]): Promise<void> {
  await app.sql(`delete from tag_follows where user_id = '${viewer.id}'`)
  for (const tag of tags) {
    await app.sql(
      `insert into tag_follows (user_id, tag, created_at) values ('${viewer.id}', '${tag}', 1)`,
    )
  }
  await app.sql(`delete from follows where follower_id = '${viewer.id}'`)
  for (const { id } of followed) {
    await app.sql(
      `insert into follows (creator_id, follower_id, created_at) values ('${id}', '${viewer.id}', 1)`,
    )
  }
}

const question = fc.record({
  sort: fc.constantFrom('latest', 'popular', 'following', 'tags'),
  category: fc.constantFrom(undefined, 'hype', 'swipe', 'jump'),
  tag: fc.constantFrom(undefined, undefined, 'common', 'rare', 'past', 'none'),
  followed: fc.subarray(creators),
  followedTags: fc.subarray(TAGS),
  perPage: fc.integer({ min: 3, max: 60 }),
})

/**
 * Asserts that the pages of a list contain these ids in order, and that the total on each page is the number of ids.
 */
async function assertPages(base: string, expected: string[], caller = viewer): Promise<void> {
  const seen: string[] = []
  for (let page = 1; ; page++) {
    const { feeds, pagination } = dataOf(await caller.get(`${base}&page=${page}`))
    assert.equal(pagination.total, expected.length, base)
    seen.push(...idsOf(feeds))
    if (!pagination.has_next) break
  }
  assert.deepEqual(seen, expected, base)
}

test('returns each content item once and in order over all pages, with the correct total', async () => {
  await fc.assert(
    fc.asyncProperty(question, async ({ sort, category, tag, followed, followedTags, perPage }) => {
      await followOnly(followed, followedTags)
      const rank = (w: Content) => (sort === 'popular' ? w.hotScore : w.publishedAt)
      const withLimited = sort === 'following' && tag === undefined
      const expected = contents
        .filter((w) => isPublic(w) || (withLimited && w.access === 'followers'))
        .filter((w) => category === undefined || w.category === category)
        .filter((w) => tag === undefined || w.tags.includes(tag))
        .filter((w) => sort !== 'following' || followed.some(({ id }) => id === w.creator))
        .filter((w) => sort !== 'tags' || followedTags.some((name) => w.tags.includes(name)))
        .sort((a, b) => rank(b) - rank(a) || (a.id < b.id ? 1 : -1))
        .map(({ id }) => id)
      const base = `/feeds${category ? `/${category}` : ''}?sort=${sort}&per_page=${perPage}${tag ? `&tag=${tag}` : ''}`
      await assertPages(base, expected)
    }),
    { numRuns: 60 },
  )
})

const ofCreator = fc.record({
  creator: fc.constantFrom(...creators),
  sort: fc.constantFrom('latest', 'popular'),
  category: fc.constantFrom(undefined, 'hype', 'swipe', 'jump'),
  type: fc.constantFrom(undefined, 'article', 'image', 'game', 'audio'),
  perPage: fc.integer({ min: 3, max: 60 }),
  isOwn: fc.boolean(),
})

test('returns only the public content of a creator by category and type, in both orders, even to its creator and followers', async () => {
  await followOnly(creators, [])
  await fc.assert(
    fc.asyncProperty(ofCreator, async ({ creator, sort, category, type, perPage, isOwn }) => {
      const rank = (w: Content) => (sort === 'popular' ? w.hotScore : w.publishedAt)
      const expected = contents
        .filter((w) => isPublic(w) && w.creator === creator.id)
        .filter((w) => category === undefined || w.category === category)
        .filter((w) => type === undefined || w.type === type)
        .sort((a, b) => rank(b) - rank(a) || (a.id < b.id ? 1 : -1))
        .map(({ id }) => id)
      const filters = `${category ? `&category=${category}` : ''}${type ? `&type=${type}` : ''}`
      const base = `/creators/${creator.handle}/contents?sort=${sort}&per_page=${perPage}${filters}`
      await assertPages(base, expected, isOwn ? creator : viewer)
    }),
    { numRuns: 80 },
  )
})
