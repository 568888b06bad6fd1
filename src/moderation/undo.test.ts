/**
 * Runs random sequences of acts and decisions in one installation, undoes all decisions, and repeats the acts
 * that succeeded in a second installation without decisions. Both databases must then be equal, apart from ids,
 * times, and the tables of decisions, notices and audit entries.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, ENGINE, type TestApp, startApp } from '../../test/app.ts'
import { dataOf } from '../../test/make.ts'
import { listChecks } from '../doctor/checks.ts'

const STEPS = 120
const SEEDS = [1, 2, 3, 4]

/** Mulberry32: a small seeded generator. Returns numbers from 0 to 1. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

type Kind = 'content' | 'comment' | 'post' | 'message'
interface Thing {
  kind: Kind
  id: string
  author: number
  /** Id of a comment's content or of a message's conversation. */
  home: string
}
interface World {
  app: TestApp
  admin: Actor
  users: Actor[]
  things: Thing[]
}

interface Act {
  name: string
  user: number
  thing: number
  number: number
}

async function makeWorld(app: TestApp): Promise<World> {
  const users = [await app.user(), await app.user(), await app.user()]
  return { app, admin: await app.admin(), users, things: [] }
}

/** Returns true when the act succeeded. */
async function perform(world: World, { name, user, thing: index, number }: Act): Promise<boolean> {
  const actor = world.users[user] as Actor
  const thing = world.things[index % Math.max(1, world.things.length)]
  const keep = (kind: Kind, id: string, home: string) =>
    world.things.push({ kind, id, author: user, home })
  if (name === 'content') {
    const tags = number % 2 ? ['a', 'b'] : ['a']
    const body = { category: 'hype', type: 'image', title: `Title ${number}`, tags }
    const answer = await actor.post('/contents', body)
    if (answer.status === 201) keep('content', answer.data.content.id, '')
    return answer.status === 201
  }
  if (name === 'post') {
    const answer = await actor.post('/posts', { body: `Post ${number}` })
    if (answer.status === 201) keep('post', answer.data.post.id, '')
    return answer.status === 201
  }
  if (name === 'message') {
    const peer = world.users[(user + 1) % world.users.length] as Actor
    const opened = await actor.post('/dm/conversations', { user_id: peer.id })
    if (opened.status !== 201) return false
    const { id } = opened.data.conversation
    const path = `/dm/conversations/${id}/messages`
    const answer = await actor.post(path, { body: `Message ${number}` })
    if (answer.status === 201) keep('message', answer.data.message.id, id)
    return answer.status === 201
  }
  if (!thing) return false
  const own = world.users[thing.author] as Actor
  const at = { content: 'contents', comment: 'comments', post: 'posts', message: '' }[thing.kind]
  if (name === 'reply') {
    if (thing.kind === 'message') return false
    const isPost = thing.kind === 'post'
    const contentId = thing.kind === 'content' ? thing.id : thing.home
    const path = isPost ? `/posts/${thing.id}/replies` : `/contents/${contentId}/comments`
    const parent = thing.kind === 'comment' ? { parent_id: thing.id } : {}
    const answer = await actor.post(path, { body: `Reply ${number}`, ...parent })
    if (answer.status !== 201) return false
    if (isPost) keep('post', answer.data.post.id, '')
    else keep('comment', answer.data.comment.id, contentId)
    return true
  }
  if (name === 'delete') {
    if (thing.kind === 'message') return false
    return (await own.delete(`/${at}/${thing.id}`)).status === 204
  }
  if (name === 'like') {
    if (thing.kind !== 'post' && thing.kind !== 'content') return false
    const path = `/${at}/${thing.id}/like`
    const isPost = thing.kind === 'post'
    return (await (isPost ? actor.post(path) : actor.put(path))).status === 200
  }
  if (name === 'unlike') {
    if (thing.kind !== 'post' && thing.kind !== 'content') return false
    return (await actor.delete(`/${at}/${thing.id}/like`)).status === 200
  }
  if (thing.kind === 'content') {
    const edit = { title: `Edited ${number}`, tags: number % 2 ? ['c'] : ['a', 'c'] }
    return (await own.patch(`/contents/${thing.id}`, edit)).status === 200
  }
  if (thing.kind !== 'comment') return false
  return (await own.patch(`/comments/${thing.id}`, { body: `Edited ${number}` })).status === 200
}

const ACTS = 'content post message delete delete like unlike edit reply reply reply reply'.split(
  ' ',
)

async function decide(world: World, open: string[], random: () => number): Promise<void> {
  const index = Math.floor(random() * world.things.length)
  const thing = world.things[index]
  if (!thing) return
  const author = world.users[thing.author] as Actor
  const kind = random()
  const subject = kind < 0.1 ? { kind: 'user', id: author.id } : { kind: thing.kind, id: thing.id }
  const action =
    subject.kind === 'user' ? 'warn' : subject.kind === 'content' && kind < 0.3 ? 'rate' : 'hide'
  const rating = kind < 0.2 ? 'teen' : 'adult'
  const reason = random() < 0.5 ? 'Spam' : 'Abuse'
  const answer = await world.admin.post('/admin/decisions', { subject, action, reason, rating })
  if (answer.status === 201) open.push(answer.data.decision.id)
}

async function undoOne(world: World, open: string[], random: () => number): Promise<void> {
  const [id] = open.splice(Math.floor(random() * open.length), 1)
  if (id === undefined) return
  const { status } = await world.admin.post(`/admin/decisions/${id}/undo`, {})
  // A later rating may have replaced this one. The undo then returns 409.
  assert.ok(status === 200 || status === 409)
}

const TABLES: Record<string, string> = {
  contents: 'id, creator_id, title, tags, status, moderation, rating, decided_rating, own_rating',
  content_stats:
    'content_id, is_public, like_count, bookmark_count, comment_count, listed_comment_count, top_comment_count, last_comment_id, round(cast((hot_score - coalesce(published_at, 0) / 45000000.0) * 1000000 as numeric)) as score',
  content_tags: 'content_id, tag, category',
  tag_totals: 'tag, category, total',
  category_totals: 'category, total',
  user_counts:
    'user_id, content_count, hype_count, swipe_count, jump_count, follower_count, following_count',
  comments:
    'id, parent_id, root_id, author_id, body, is_deleted, is_listed, reply_count, listed_reply_count, hidden_by, hidden_body',
  posts:
    'id, parent_id, root_id, author_id, body, last_reply_id, is_deleted, is_listed, reply_count, listed_reply_count, like_count, hidden_by, hidden_body',
  messages: 'id, sender_id, body, hidden_by',
  likes: 'content_id, user_id',
  post_likes: 'post_id, user_id',
}

/** Returns all compared rows, with labels in place of ids. */
async function dump({ app, admin, users, things }: World): Promise<Record<string, string[]>> {
  const labels = new Map<string, string>([[admin.id, 'admin']])
  users.forEach(({ id }, index) => labels.set(id, `user ${index}`))
  things.forEach(({ id, kind }, index) => labels.set(id, `${kind} ${index}`))
  const tables: Record<string, string[]> = {}
  for (const [table, columns] of Object.entries(TABLES)) {
    const rows = await app.sql(`select ${columns} from ${table}`)
    tables[table] = rows
      .filter((row) => row['total'] === undefined || Number(row['total']) !== 0)
      .map((row) => {
        const values = Object.entries(row).map(([name, value]) => {
          const isNumber = name === 'score' || typeof value === 'bigint'
          return [name, isNumber ? Number(value) : (labels.get(String(value)) ?? value)]
        })
        return JSON.stringify(Object.fromEntries(values))
      })
      .sort()
  }
  return tables
}

async function examine({ app }: World): Promise<string[]> {
  const broken: string[] = []
  for (const { name, sql } of listChecks(ENGINE)) {
    if ((await app.sql(sql)).length > 0) broken.push(name)
  }
  return broken
}

for (const seed of SEEDS) {
  test(`restores what decisions changed: seed ${seed}`, async () => {
    const [moderated, plain] = [await startApp(), await startApp()]
    const [world, reference] = [await makeWorld(moderated), await makeWorld(plain)]
    const random = randomOf(seed)
    const open: string[] = []
    const done: Act[] = []
    for (let step = 0; step < STEPS; step++) {
      const act = {
        name: ACTS[Math.floor(random() * ACTS.length)] as string,
        user: Math.floor(random() * world.users.length),
        thing: Math.floor(random() * 1000),
        number: step,
      }
      // The thing is chosen from those that exist now, also when the act is repeated.
      act.thing %= Math.max(1, world.things.length)
      if (await perform(world, act)) done.push(act)
      if (random() < 0.4) await decide(world, open, random)
      if (random() < 0.2) await undoOne(world, open, random)
    }
    assert.deepEqual(await examine(world), [])
    while (open.length > 0) await undoOne(world, open, random)
    for (const act of done) assert.ok(await perform(reference, act), JSON.stringify(act))
    assert.deepEqual(await examine(world), [])
    assert.deepEqual(await dump(world), await dump(reference))
    assert.ok(world.things.length > 10)
    assert.equal(await moderated.count('hidden_subjects'), 0)
    assert.ok(dataOf(await world.admin.get('/admin/decisions')).pagination.total > 5)
    await Promise.all([moderated.close(), plain.close()])
  })
}
