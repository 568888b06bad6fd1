/** Compares pages of a tag's popular content with a plain sort, when many items share a score bucket. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startApp } from '../../test/app.ts'
import { dataOf, idsOf } from '../../test/make.ts'
import { newId } from '../db/ids.ts'

const CONTENTS = 300
const START = 1_700_000_000_000
type Category = 'hype' | 'swipe'

interface Content {
  id: string
  category: Category
  score: number
}

const app = await startApp()
const { id: creatorId } = await app.user()

async function plantContents(scores: number[], tag: string): Promise<Content[]> {
  const contents = scores.map((score, i): Content => {
    const category = i % 3 === 0 ? 'swipe' : 'hype'
    return { id: newId('cnt', START + i), category, score }
  })
  const values = (row: (content: Content) => string) => contents.map(row).join(',')
  for (const table of ['content_tags', 'tag_totals', 'content_stats', 'contents']) {
    await app.sql(`delete from ${table}`)
  }
  await app.sql(
    `insert into contents (id, creator_id, category, type, title, tags, status, published_at, created_at, updated_at) values
     ${values((w) => `('${w.id}', '${creatorId}', '${w.category}', 'image', 'w', '[]', 'published', 1, 1, 1)`)}`,
  )
  await app.sql(
    `insert into content_stats (content_id, creator_id, category, is_public, published_at, hot_score) values
     ${values((w) => `('${w.id}', '${creatorId}', '${w.category}', 1, 1, ${w.score})`)}`,
  )
  await app.sql(
    `insert into content_tags (tag, content_id, category, published_at, score_bucket) values
     ${values((w) => `('${tag}', '${w.id}', '${w.category}', 1, ${Math.floor(w.score * 8)})`)}`,
  )
  await app.sql(
    `insert into tag_totals (tag, category, total)
     select tag, category, count(*) from content_tags group by tag, category`,
  )
  return contents
}

const scoresOf = (kinds: number, least: number) =>
  fc.array(
    fc.integer({ min: 0, max: kinds }).map((n) => least + n / 20),
    { minLength: 1, maxLength: CONTENTS },
  )
const question = fc.record({
  // Lists of scores with many, some and few scores per bucket. Some scores are negative.
  scores: fc.oneof(scoresOf(8, 0), scoresOf(48, -1), scoresOf(240, 30)),
  category: fc.constantFrom<(Category | undefined)[]>(undefined, undefined, 'hype', 'swipe'),
  perPage: fc.integer({ min: 1, max: 40 }),
  pages: fc.array(fc.nat({ max: 320 }), { minLength: 4, maxLength: 4 }),
})

test('pages equal those of a plain sort when many content items share a score bucket', async () => {
  await fc.assert(
    fc.asyncProperty(question, async ({ scores, category, perPage, pages }) => {
      const contents = await plantContents(scores, 'level')
      const expected = contents
        .filter((w) => category === undefined || w.category === category)
        .sort((a, b) => b.score - a.score || (a.id < b.id ? 1 : -1))
      const last = Math.ceil(expected.length / perPage)
      const asked = new Set([1, 2, last, last + 1, ...pages.map((n) => 1 + (n % (last + 2)))])
      for (const page of asked) {
        if (page < 1) continue
        const path = `/feeds${category ? `/${category}` : ''}?tag=level&sort=popular`
        const answer = await app.anon.get(`${path}&per_page=${perPage}&page=${page}`)
        const { feeds, pagination } = dataOf(answer)
        assert.equal(pagination.total, expected.length)
        assert.deepEqual(
          idsOf(feeds),
          idsOf(expected.slice((page - 1) * perPage, page * perPage)),
          `page ${page} of ${perPage}`,
        )
      }
    }),
    { numRuns: 40 },
  )
})
