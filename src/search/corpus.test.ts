/**
 * Searches 10,000 generated texts and compares the results with a scan of every text. Each engine must return the rows
 * of the scan in the same order.
 */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { dataOf, idsOf } from '../../test/make.ts'
import { insertAll, updateRows } from '../db/rows.ts'
import type { Category, ContentType } from '../db/tables.ts'
import { fillSearchIndex } from '../indexing/fill.ts'
import { Field, readSearch, scoreOf, type WeightedField } from '../indexing/tokens.ts'
import { FOUND_MAX } from './collect.ts'

const app = await startApp()

const SIZE = 10_000
const START = Date.UTC(2026, 0, 1)
const KOREAN =
  `한강 새벽 바다 노래 사진 여행 고양이 강아지 서울 부산 제주 밤하늘 별빛 산책 커피 골목길 시장 음악 영화 그림
  게임 이야기 봄날 여름밤 가을비 겨울산 기차 자전거 도시 마을 한강공원 새벽시장 바닷가`.split(/\s+/)
const ENGLISH =
  `river dawn ocean song photo travel cat dog seoul light night sky star walk coffee street market music
  film paint game story spring summer autumn winter train bicycle city village café naïve rivers oceanic starlight`.split(
    /\s+/,
  )
const RARE = ['zyzzyva', '쀍뛟', 'quokka', '훼리']
const NAMES = [
  '김미나',
  'River Kim',
  '박하늘',
  'Jane Doe',
  '새벽 사진관',
  'o.clock',
  'Łukasz',
  'ocean',
]

/** Returns a generator of pseudorandom numbers from 0 up to 1, excluding 1 (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const random = randomOf(24)
const below = (limit: number) => Math.floor(random() * limit)
const pick = <T>(list: readonly T[]) => list[below(list.length)] as T

function words(count: number): string {
  return Array.from({ length: count }, () => {
    const word = random() < 0.002 ? pick(RARE) : pick(random() < 0.5 ? KOREAN : ENGLISH)
    return word + pick(['', '', '', ',', '!', '에서', "'s", '-'])
  }).join(pick([' ', ' ', ' / ']))
}

interface Made {
  id: string
  date: number
  likes: number
  category: Category
  type: ContentType
  creator: number
  title: string
  description: string
  tags: string[]
  body: string
}

const digits = (index: number) => index.toString().padStart(25, '0')

const made: Made[] = Array.from({ length: SIZE }, (_, index) => {
  const category = pick(['hype', 'hype', 'swipe'] as const)
  return {
    id: `cnt_0${digits(index)}`,
    // Many contents have equal times. The order of the times differs from the order of the ids.
    date: START + below(SIZE / 4) * 60_000,
    likes: below(4) === 0 ? below(50) : 0,
    category,
    type: category === 'hype' ? pick(['article', 'image'] as const) : 'image',
    creator: below(NAMES.length),
    title: words(1 + below(5)),
    description: words(below(12)) || '.',
    tags: Array.from({ length: below(3) }, () => pick(random() < 0.5 ? KOREAN : ENGLISH)),
    body: random() < 0.1 ? words(60) : '',
  }
})

const fieldsOf = new Map<string, WeightedField[]>()
const creators: { id: string; handle: string }[] = []

before(async () => {
  for (const name of NAMES) creators.push(await app.user({ display_name: name }))
  for (const { id, title, description, tags, body, creator, type } of made) {
    fieldsOf.set(id, [
      { field: new Field(title), weight: 4 },
      { field: new Field(tags.join(', ')), weight: 3 },
      { field: new Field(creators[creator]?.handle ?? ''), weight: 2 },
      { field: new Field(NAMES[creator] ?? ''), weight: 2 },
      { field: new Field(description), weight: 1 },
      { field: new Field(type === 'article' ? body : ''), weight: 1 },
    ])
  }
  for (let from = 0; from < SIZE; from += 1000) {
    const some = made.slice(from, from + 1000)
    await app.db.transaction(async (tx) => {
      await insertAll(
        tx,
        'contents',
        some.map(({ id, date, category, type, creator, title, description, tags }) => ({
          id,
          creator_id: creators[creator]?.id ?? '',
          category,
          type,
          title,
          description,
          tags: JSON.stringify(tags),
          status: 'published',
          media: '[]',
          published_at: date,
          created_at: date,
          updated_at: date,
        })),
      )
      await insertAll(
        tx,
        'content_stats',
        some.map(({ id, date, category, type, creator, likes }) => ({
          content_id: id,
          creator_id: creators[creator]?.id ?? '',
          category,
          type,
          is_public: 1,
          was_public: 1,
          published_at: date,
          like_count: likes,
          bookmark_count: 0,
          comment_count: 0,
          listed_comment_count: 0,
          top_comment_count: 0,
          view_count: 0,
          play_count: 0,
          hot_score: Math.round((date - START) / 60_000 + likes * 100),
        })),
      )
      const articles = some.filter(({ type, body }) => type === 'article' && body !== '')
      await insertAll(
        tx,
        'content_texts',
        articles.map(({ id, body }) => ({ content_id: id, body })),
      )
    })
  }
  for (const [index, { id }] of creators.entries()) {
    const count = made.filter(({ creator }) => creator === index).length
    await updateRows(app.db, 'user_counts', { user_id: id }, { content_count: count })
  }
  await updateRows(app.db, 'search_progress', {}, { reached: '' })
  await fillSearchIndex(app.db)
  // Without statistics about the many new rows, PostgreSQL would choose slow query plans.
  await app.sql('analyze')
})

const QUERIES = [
  '한강',
  '한강공원',
  '새벽시장에서',
  '강',
  '별',
  '쀍뛟',
  '훼리',
  '리',
  '바닷가 river',
  '김미나 고양이',
  'river',
  'riv',
  'rive',
  'r',
  's',
  'cafe',
  'CAFÉ naive',
  'zyzzyva',
  'quokk',
  'star starlight',
  'ocean',
  '"river dawn"',
  '"새벽 바다"',
  '"iver"',
  '"ght nig"',
  '"강공원"',
  '"zyva"',
  '"cat, dog" -night',
  '"\'s"',
  'river -한강',
  '한강 -"한강공원" -바다',
  'river -r',
  '-river 한강 dawn',
  'lukasz',
  '사진관 -커피',
  '게임 게임',
  'river dawn ocean',
  '가을비 겨울산 기차',
  '강아지 dog',
  '!!',
  '-river',
  'nothingness',
  '없는낱말',
  'o.clock',
]

interface Filter {
  category?: Category
  type?: ContentType
}

function expected(
  q: string,
  sort: string,
  { category, type }: Filter,
): { ids: string[]; count: number } {
  const query = readSearch(q)
  const found = made
    .filter((row) => (!category || row.category === category) && (!type || row.type === type))
    .map((row) => ({ ...row, score: scoreOf(query, fieldsOf.get(row.id) ?? []) }))
    .filter(({ score }) => query.terms.length > 0 && score !== undefined)
    .map((row) => ({
      ...row,
      score: row.score ?? 0,
      hot: (row.date - START) / 60_000 + row.likes * 100,
    }))
  const byId = (left: Made, right: Made) => (left.id < right.id ? 1 : -1)
  const newest = found
    .toSorted((left, right) => right.date - left.date || byId(left, right))
    .slice(0, FOUND_MAX)
  const sorted = newest.toSorted((left, right) => {
    if (sort === 'latest') return 0
    const byScore = sort === 'relevance' ? right.score - left.score : 0
    return byScore || right.hot - left.hot || byId(left, right)
  })
  return { ids: idsOf(sorted), count: found.length }
}

for (const [sort, filter] of [
  ['relevance', {}],
  ['latest', { category: 'swipe' }],
  ['popular', { type: 'article' }],
] as [string, Filter][]) {
  test(`returns the rows of the reference when sorting by ${sort}`, async () => {
    for (const q of QUERIES) {
      const { ids, count } = expected(q, sort, filter)
      const last = Math.max(1, Math.ceil(ids.length / 100))
      for (const page of new Set([1, last])) {
        const fields = { q, sort, ...filter, per_page: '100', page: String(page) }
        const path = `/search?${String(new URLSearchParams(fields))}`
        const { feeds, pagination } = dataOf(await app.anon.get(path))
        assert.deepEqual(
          idsOf(feeds),
          ids.slice(page * 100 - 100, page * 100),
          `${q}, page ${page}`,
        )
        assert.deepEqual(
          [pagination.total, pagination.total_is_minimum],
          [ids.length, count > FOUND_MAX],
          q,
        )
      }
    }
  })
}
