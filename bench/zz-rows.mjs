import { DatabaseSync } from 'node:sqlite'
import { readFileSync } from 'node:fs'
import { SQL } from './minimal-sql.ts'
import { toContent } from '../src/contents/schema.ts'
const D = process.argv[2]
const d = new DatabaseSync(D + '/plaza.db', { readOnly: true })
const vid = d.prepare("select user_id from likes limit 1").get().user_id
const N = 5000
function t(name, f) { let best = 1e9; for (let r = 0; r < 5; r++) { const s = process.hrtime.bigint(); for (let i = 0; i < N; i++) f(); best = Math.min(best, Number(process.hrtime.bigint() - s) / 1e3 / N) } console.log(name.padEnd(40), best.toFixed(2), 'us') }
for (const [label, sql, args] of [['feed 20 rows', SQL.home.replaceAll('$', '?'), [20, vid]], ['one row', 'select user_id, content_id, created_at from likes limit 1', []], ['session row', 'select s.access_hash, s.access_expires_at, s.previous_access_hash, s.previous_access_expires_at, s.last_seen_at, u.id,u.handle,u.role,u.tier,u.is_suspended from sessions s join users u on u.id=s.user_id limit 1', []]]) {
  const a = d.prepare(sql); const b = d.prepare(sql); b.setReturnArrays(true)
  const names = a.columns().map(c => c.name)
  const make = new Function('r', `return {${names.map((n, i) => `${JSON.stringify(n)}: r[${i}]`).join(',')}}`)
  const loop = (r) => { const o = {}; for (let i = 0; i < names.length; i++) o[names[i]] = r[i]; return o }
  const shape = Object.fromEntries(names.map(n => [n, null])); const clone = (r) => { const o = { ...shape }; for (let i = 0; i < names.length; i++) o[names[i]] = r[i]; return o }
  t(label + ' arrays + clone', () => b.all(...args).map(clone))
  t(label + ' arrays + codegen', () => b.all(...args).map(make))
  t(label + ' objects', () => a.all(...args))
  t(label + ' arrays', () => b.all(...args))
  t(label + ' arrays + codegen', () => b.all(...args).map(make))
  t(label + ' arrays + loop', () => b.all(...args).map(loop))
  t(label + ' arrays + fromEntries', () => b.all(...args).map(r => Object.fromEntries(names.map((n, i) => [n, r[i]]))))
  if (label[0] === 'f') {
    const x = a.all(...args), y = b.all(...args).map(make), z = b.all(...args).map(loop)
    const read = (row) => row.id.length + row.title.length + row.like_count + row.handle.length + row.display_name.length + row.creator_id.length + row.created_at + row.updated_at + row.published_at + row.play_count + row.comment_count + row.bookmark_count
    t('read dict', () => x.map(read)); t('read fast', () => y.map(read)); t('read loop', () => z.map(read))
    t('toContent dict', () => x.map(toContent)); t('toContent fast', () => y.map(toContent)); t('toContent loop', () => z.map(toContent))
    t('iso x60', () => { for (let i = 0; i < 60; i++) new Date(1700000000000 + i).toISOString() })
    t('JSON.parse tags x20', () => { for (let i = 0; i < 20; i++) JSON.parse('["tag1","tag21","한강"]') })
  }
}
