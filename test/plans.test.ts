/**
 * Requests every list with combinations of its query fields. Checks that the statements read their rows in order from
 * an index. The SQLite plan does not depend on the stored rows. On PostgreSQL, sequential scans are disabled, so that
 * the planner uses an index where one fits.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Statement } from '../src/db/statement.ts'
import { isStaff } from '../src/http/auth.ts'
import type { RouteRecord } from '../src/http/declaration.ts'
import { currentRoutes } from '../src/current-routes.ts'
import { type Actor, ENGINE, startApp } from './app.ts'
import {
  dataOf,
  makeApp,
  makeComment,
  makeContent,
  makeConversation,
  makePost,
  sendMessage,
} from './make.ts'
import { makeModuleGame } from './playing.ts'
import { receive } from './receiver.ts'

const app = await startApp()
const viewer = await app.user()
const admin = await app.admin()
const receiver = await receive()

const sent = new Set<string>()
const note = ({ compiled }: Statement<never, unknown>) =>
  sent.add(compiled(ENGINE).sql.replaceAll('?', ENGINE === 'sqlite' ? '1' : '?'))
const { db } = app.deps
app.deps.db = new Proxy(db, {
  get(target, name) {
    const value: unknown = Reflect.get(target, name, target)
    if (typeof value !== 'function') return value
    return (...args: unknown[]) => {
      if (name === 'all' || name === 'first') note(args[0] as Statement<never, unknown>)
      return Reflect.apply(value, target, args)
    }
  },
})

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

async function makeIds(): Promise<Record<string, string>> {
  const content = await makeContent(viewer, { tags: ['a'] })
  const comment = await makeComment(viewer, content.id)
  const post = await makePost(viewer)
  const conversation = await makeConversation(viewer, admin)
  await sendMessage(viewer, conversation.id)
  const { id } = await makeApp(viewer)
  const body = { endpoint_url: receiver.url, events: ['jump.play'] }
  const { webhook } = dataOf(await viewer.post(`/devconsole/apps/${id}/webhooks`, body), 201)
  dataOf(await viewer.post(`/devconsole/webhooks/${webhook.id}/test`))
  const subject = { kind: 'content', id: content.id }
  dataOf(await admin.post('/reports', { subject, reason: 'spam' }), 201)
  dataOf(await admin.post('/admin/decisions', { subject, action: 'warn', reason: 'x' }), 201)
  return {
    cnt: content.id,
    cmt: comment.id,
    pst: post.id,
    cnv: conversation.id,
    usr: viewer.id,
    whk: webhook.id,
  }
}
const ids = await makeIds()

/** Values of query fields without an enumeration. Cursors come from the list itself. */
const TEXTS: Record<string, string[]> = {
  tag: ['a'],
  actor: [admin.id],
  target: [viewer.id],
  user: [viewer.id],
  q: ['text'],
  parent_id: ['none', ids['cmt'] as string],
}

function queriesOf({ query }: RouteRecord, cursor: string | undefined): string[] {
  let queries: Record<string, string>[] = [{}]
  const vary = (name: string, values: string[]) => {
    queries = queries.flatMap((made) => [
      made,
      ...values.map((value) => ({ ...made, [name]: value })),
    ])
  }
  for (const [name, field] of Object.entries(query?.properties ?? {})) {
    const { enum: choices }: { enum?: string[] } = field
    if (name === 'page') vary(name, ['9'])
    else if (name === 'before' || name === 'after') vary(name, cursor === undefined ? [] : [cursor])
    else vary(name, choices ?? TEXTS[name] ?? [])
  }
  return queries.map((fields) => new URLSearchParams(fields).toString())
}

/** Names that a plan may scan: tables that always have few rows, aliases and CTEs. */
const SMALL =
  /^(category_totals|audit_totals|case_totals|case_filter_totals|member_total|shown_tags|stars|counts|edge|page|newest|oldest|each|one|other|listed|found|liker|likers|creator|cut|line|json_each)\b/

function scansOf(plan: string[]): string[] {
  const scans = plan.filter((step) =>
    ENGINE === 'sqlite'
      ? step.startsWith('SCAN ') && !/USING (COVERING )?INDEX/.test(step)
      : /Seq Scan on /.test(step),
  )
  return scans
    .map((step) => step.replace(/^.*(SCAN|Seq Scan on) /, ''))
    .filter((table) => !SMALL.test(table) && !/^(\d+-ROW|CONSTANT)/.test(table))
}

const names = (plan: string[], index: string) =>
  plan.some((step) => new RegExp(`\\b${index}(_pkey)?\\b`).test(step))

async function planOf(actor: Actor, path: string): Promise<string[]> {
  sent.clear()
  dataOf(await actor.get(path))
  return (await Promise.all([...sent].map(explain))).flat()
}

describe('reads a list from its indexes without a table scan', () => {
  for (const route of currentRoutes().filter(({ indexes }) => indexes)) {
    test(route.id, async () => {
      const { indexes = [], auth, params = {} } = route
      const actor = isStaff(auth) ? admin : viewer
      const path = route.path.replace(/:(\w+)/g, (_, name: string) => {
        const param = params[name]
        return param && 'id' in param ? (ids[param.id] ?? '') : viewer.handle
      })
      const page = dataOf(await actor.get(path))
      const rows = Object.values(page).find(Array.isArray) ?? []
      const used = new Set<string>()
      for (const query of queriesOf(route, rows.at(-1)?.id)) {
        const plan = await planOf(actor, `${path}?${query}`)
        const where = `${query}\n${plan.join('\n')}`
        assert.deepEqual(scansOf(plan), [], where)
        const found = indexes.filter((index) => names(plan, index))
        // A list may skip its query on a page past its end.
        assert.ok(found.length > 0 || query.includes('page='), where)
        for (const index of found) used.add(index)
      }
      // With few rows, several indexes cost the same, and PostgreSQL may use any of them.
      if (ENGINE === 'sqlite')
        assert.deepEqual(
          indexes.filter((index) => !used.has(index)),
          [],
        )
    })
  }

  test('unread count', async () => {
    const plan = await planOf(viewer, '/notifications/unread-count')
    assert.deepEqual(scansOf(plan), [])
    assert.ok(names(plan, 'notification_counts'))
  })

  test('unread messages', async () => {
    const plan = await planOf(viewer, '/dm/unread-count')
    assert.deepEqual(scansOf(plan), [])
    for (const index of ['unread', 'latest'])
      assert.ok(names(plan, `conversation_members_${index}`), plan.join('\n'))
  })

  test('shelves of a game', async () => {
    const { id } = await makeModuleGame(viewer)
    const plan = await planOf(viewer, `/jump/games/${id}?include=related,popular`)
    assert.deepEqual(scansOf(plan), [])
    assert.ok(names(plan, 'content_stats_hot_in'))
  })
})

test('reads stored totals instead of counting rows', {
  skip: ENGINE !== 'sqlite',
}, async () => {
  const plan = await planOf(viewer, '/feeds/hype?tag=a')
  assert.ok(plan.includes('SEARCH tag_totals USING PRIMARY KEY (tag=? AND category=?)'))
  const followers = await planOf(viewer, `/creators/${viewer.handle}/followers`)
  assert.ok(
    followers.every((step) => !/SEARCH follows .*\(creator_id=\? AND follower_id/.test(step)),
  )
})
