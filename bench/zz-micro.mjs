import { openSqlite } from '../src/db/sqlite.ts'
import { loadContents, findContentRecords } from '../src/contents/load.ts'
import { listFollowing, countFollowing } from '../src/feeds/following.ts'
import { listWorks, countWorks } from '../src/feeds/queries.ts'
import { listMarked, countMarked } from '../src/feeds/mine.ts'
import { listComments, findCommentTotals } from '../src/comments/queries.ts'
import { toComment, CommentList } from '../src/comments/schema.ts'
import { toContent } from '../src/contents/schema.ts'
import { Feed } from '../src/feeds/schema.ts'
import { etagOf } from '../src/http/etag.ts'
import { sqliteHandlers } from './minimal-sqlite.ts'
import { readFileSync } from 'node:fs'
import { toFeed, toCommentList } from './minimal-records.ts'
import fastJson from 'fast-json-stringify'
const D = process.argv[2]
const world = JSON.parse(readFileSync(D + '/world.json'))
const db = openSqlite(D + '/plaza.db')
const h = sqliteHandlers(D + '/plaza.db')
const v = h.viewer('ses_' + world.viewers[3].token.slice(4, 30), (await import('node:crypto')).hash('sha256', world.viewers[3].token, 'base64url'), Date.now())
const N = 5000
async function t(name, f) { let best = 1e9; for (let r = 0; r < 5; r++) { const s = process.hrtime.bigint(); for (let i = 0; i < N; i++) await f(); best = Math.min(best, Number(process.hrtime.bigint() - s) / 1e3 / N) } console.log(name.padEnd(40), best.toFixed(1), 'us') }
const range = { limit: 20, offset: 0 }
const ids = await listWorks(db, 'latest', undefined, range)
const fids = await listFollowing(db, v.id, undefined, range)
console.log('viewer', v.id)
await t('c listWorks', () => listWorks(db, 'latest', undefined, range))
await t('c countWorks', () => countWorks(db, undefined))
await t('c findContentRecords', () => findContentRecords(db, ids, v.id))
const rows = await findContentRecords(db, ids, v.id)
await t('c toContent x20', () => rows.map(toContent))
await t('c loadContents', () => loadContents(db, ids, v.id))
await t('c listFollowing', () => listFollowing(db, v.id, undefined, range))
await t('c countFollowing', () => countFollowing(db, v.id, undefined))
await t('c loadContents following', () => loadContents(db, fids, v.id))
await t('c listMarked', () => listMarked(db, 'likes', v.id, range))
await t('c countMarked', () => countMarked(db, 'likes', v.id))
const feeds = { feeds: await loadContents(db, ids, v.id), pagination: { page: 1, per_page: 20, total: 6000, total_pages: 300, has_next: true, has_prev: false } }
const fj = fastJson(Feed)
await t('fast-json-stringify feed', () => fj(feeds))
await t('JSON.stringify feed', () => JSON.stringify(feeds))
await t('b home', () => h.feeds({ viewer: v }))
await t('b following', () => h.feeds({ viewer: v, sort: 'following' }))
await t('b likes', () => h.likes({ viewer: v }))
const scope = [{ scope: 'content', order: 'asc' }, { of: world.discussed, limit: 20, offset: 0 }]
await t('c comment totals', () => findCommentTotals(db, world.discussed))
await t('c listComments', () => listComments(db, ...scope))
const crow = await listComments(db, ...scope)
await t('c toComment x20', () => crow.map(toComment))
const comments = { comments: crow.map(toComment), pagination: feeds.pagination }
const cj = fastJson(CommentList)
await t('fast-json-stringify comments', () => cj(comments))
await t('JSON.stringify comments', () => JSON.stringify(comments))
const text = JSON.stringify(comments)
await t('etag', () => etagOf(text))
await t('b comments', () => h.comments({ id: world.discussed }))
console.log(JSON.stringify(feeds).length, text.length)
process.exit(0)
