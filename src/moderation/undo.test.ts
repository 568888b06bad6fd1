/**
 * Compares two installations. The first runs random acts and decisions, and then undoes all decisions. The
 * second runs only the acts that succeeded. Apart from the ids, both installations must then have the same values in
 * the columns of TABLES.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHash } from 'node:crypto'
import { anyone } from '../../test/actors.ts'
import { type Actor, ENGINE, type TestApp, startApp } from '../../test/app.ts'
import { dataOf } from '../../test/make.ts'
import { drawing, upload } from '../../test/uploads.ts'
import { openSession } from '../sessions/rules.ts'
import { listChecks } from '../doctor/checks.ts'
import { until } from '../../test/receiver.ts'

const STEPS = 120
const SEEDS = [1, 2, 3, 4]

/** Returns a seeded random generator (Mulberry32). Its numbers are at least 0 and less than 1. */
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
  uploads: string[]
}

/**
 * The last picture has metadata, so its stored bytes differ from the sent ones. The pictures are too small for avatar
 * sizes, which a job would add to the storage usage at an unpredictable time.
 */
const PICTURES = await Promise.all([
  drawing(40).png().toBuffer(),
  drawing(41).png().toBuffer(),
  drawing(42)
    .withExif({ IFD0: { Make: 'A camera' } })
    .jpeg()
    .toBuffer(),
])

interface Act {
  name: string
  user: number
  thing: number
  number: number
}

async function makeWorld(app: TestApp): Promise<World> {
  const users = [await app.user(), await app.user(), await app.user()]
  return { app, admin: await app.admin(), users, things: [], uploads: [] }
}

/** Performs an act. Returns true when it succeeded. */
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
  if (name === 'follow') {
    const creator = world.users[(user + 1 + (number % 2)) % world.users.length] as Actor
    const path = `/creators/${creator.handle}/follow`
    return (await (number % 3 ? actor.put(path) : actor.delete(path))).status === 200
  }
  if (name === 'picture' || name === 'avatar') {
    if (name === 'avatar' && number % 4 === 0) {
      return (await actor.patch('/auth/me', { avatar_upload_id: null })).status === 200
    }
    const sent = await upload(actor, PICTURES[number % PICTURES.length] as Buffer)
    if (sent.status !== 201) return false
    const { id } = sent.data.upload
    world.uploads.push(id)
    if (name === 'avatar') {
      dataOf(await actor.patch('/auth/me', { avatar_upload_id: id }))
      return true
    }
    const body = { category: 'hype', type: 'image', title: `Picture ${number}`, upload_ids: [id] }
    keep('content', dataOf(await actor.post('/contents', body), 201).content.id, '')
    return true
  }
  if (!thing) return false
  const own = world.users[thing.author] as Actor
  const base = { content: 'contents', comment: 'comments', post: 'posts', message: '' }[thing.kind]
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
    return (await own.delete(`/${base}/${thing.id}`)).status === 204
  }
  if (name === 'like') {
    if (thing.kind === 'message') return false
    const path = `/${base}/${thing.id}/like`
    const isPost = thing.kind === 'post'
    return (await (isPost ? actor.post(path) : actor.put(path))).status === 200
  }
  if (name === 'unlike') {
    if (thing.kind === 'message') return false
    return (await actor.delete(`/${base}/${thing.id}/like`)).status === 200
  }
  if (name === 'pin' || name === 'hide') {
    if (thing.kind !== 'comment') return false
    const content = world.things.find(({ id }) => id === thing.home) as Thing
    const creator = world.users[content.author] as Actor
    const path =
      name === 'hide' ? `/comments/${thing.id}/hidden` : `/contents/${content.id}/pinned-comment`
    const body = name === 'pin' ? { comment_id: thing.id } : undefined
    const answer = number % 3 ? creator.put(path, body) : creator.delete(path)
    return (await answer).status === 200
  }
  if (thing.kind === 'content') {
    const edit = { title: `Edited ${number}`, tags: number % 2 ? ['c'] : ['a', 'c'] }
    return (await own.patch(`/contents/${thing.id}`, edit)).status === 200
  }
  if (thing.kind !== 'comment') return false
  return (await own.patch(`/comments/${thing.id}`, { body: `Edited ${number}` })).status === 200
}

const ACTS =
  'content post message picture picture avatar follow delete delete like like unlike pin pin hide hide edit reply reply reply reply'.split(
    ' ',
  )

function choose(world: World, random: () => number): object | undefined {
  const thing = world.things[Math.floor(random() * world.things.length)]
  if (!thing) return undefined
  const user = { kind: 'user', id: (world.users[thing.author] as Actor).id }
  const kind = random()
  if (kind < 0.08) return { subject: user, action: 'warn' }
  if (kind < 0.16) return { subject: user, action: 'suspend' }
  if (kind < 0.24) {
    const back = Math.floor(random() * 2000)
    const since = new Date(world.app.clock.now() - back).toISOString()
    return { subject: user, action: 'sweep', since }
  }
  if (kind < 0.36) {
    const bytes = PICTURES[Math.floor(random() * PICTURES.length)] as Buffer
    const id = createHash('sha256').update(bytes).digest('hex')
    return { subject: { kind: 'file', id }, action: 'block_file' }
  }
  const subject = { kind: thing.kind, id: thing.id }
  if (thing.kind === 'content' && kind < 0.6) {
    return { subject, action: 'rate', rating: kind < 0.5 ? 'teen' : 'adult' }
  }
  return { subject, action: 'hide' }
}

/** Makes a random decision. Does not wait for the job of a `sweep`, so that it may overlap the next act. */
async function decide(world: World, open: string[], random: () => number): Promise<void> {
  const chosen = choose(world, random)
  if (!chosen) return
  const reason = random() < 0.5 ? 'Spam' : 'Abuse'
  const answer = await world.admin.post('/admin/decisions', { ...chosen, reason })
  if (answer.status === 201) open.push(answer.data.decision.id)
}

async function undoOne(world: World, open: string[], random: () => number): Promise<void> {
  const [id] = open.splice(Math.floor(random() * open.length), 1)
  if (id === undefined) return
  const { status } = await world.admin.post(`/admin/decisions/${id}/undo`, {})
  // The response is 409 when a later rating or suspension has replaced the decision.
  assert.ok(status === 200 || status === 409)
  await waitForDecisions(world)
}

/** Waits until no decision is being applied or undone. Then signs in every user whose suspension has ended. */
async function waitForDecisions({ app, users, admin }: World): Promise<void> {
  const left = `decisions where status in ('applying', 'undoing')`
  await until(async () => (await app.count(left)) === 0, 'the end of sweeps')
  for (const [index, user] of users.entries()) {
    if ((await user.get('/auth/me')).status !== 401) continue
    if (dataOf(await admin.get(`/admin/users/${user.id}`)).user.is_suspended) continue
    const { access_token: token } = await app.db.transaction((tx) =>
      openSession(
        tx,
        app.deps.config,
        user.id,
        { ip: '127.0.0.1', userAgent: 'test' },
        app.clock.now(),
      ),
    )
    users[index] = { ...user, token, ...anyone(app.url, { authorization: `Bearer ${token}` }) }
  }
}

const TABLES: Record<string, string> = {
  contents:
    'id, creator_id, title, tags, status, moderation, rating, decided_rating, own_rating, media, thumbnail_url',
  users: 'id, avatar_url, blocked_avatar_url, is_suspended, suspended_at, suspension_reason',
  follows: 'follower_id, creator_id, is_follower_suspended, is_creator_suspended',
  suspended_stars: 'creator_id',
  uploads: 'id, owner_id, file_sha256, received_sha256',
  storage_usage: 'user_id, used_bytes, file_count',
  content_stats:
    'content_id, is_public, like_count, bookmark_count, comment_count, listed_comment_count, top_comment_count, last_comment_id, pinned_comment_id, is_pin_hidden, hidden_comment_count, round(cast((hot_score - coalesce(published_at, 0) / 45000000.0) * 1000000 as numeric)) as score',
  content_tags: 'content_id, tag, category',
  tag_totals: 'tag, category, total',
  category_totals: 'category, total',
  user_counts:
    'user_id, content_count, hype_count, swipe_count, jump_count, follower_count, following_count, suspended_follower_count',
  comments:
    'id, parent_id, root_id, author_id, body, is_deleted, is_listed, reply_count, listed_reply_count, hidden_by, hidden_body, like_count, is_hidden_by_creator',
  posts:
    'id, parent_id, root_id, author_id, body, last_reply_id, is_deleted, is_listed, reply_count, listed_reply_count, like_count, hidden_by, hidden_body',
  messages: 'id, sender_id, body, hidden_by',
  likes: 'content_id, user_id',
  post_likes: 'post_id, user_id',
  comment_likes: 'comment_id, user_id',
  content_days: 'content_id, creator_id, views, plays, likes, comments, follows',
  follower_days: 'creator_id, follows',
}

/** Returns the rows to compare, by table, with labels in place of ids. */
async function dump({
  app,
  admin,
  users,
  things,
  uploads,
}: World): Promise<Record<string, string[]>> {
  const labels = new Map<string, string>([[admin.id, 'admin']])
  users.forEach(({ id }, index) => labels.set(id, `user ${index}`))
  things.forEach(({ id, kind }, index) => labels.set(id, `${kind} ${index}`))
  uploads.forEach((id, index) => labels.set(id, `upload ${index}`))
  const tables: Record<string, string[]> = {}
  for (const [table, columns] of Object.entries(TABLES)) {
    const rows = await app.sql(`select ${columns} from ${table}`)
    tables[table] = rows
      .filter((row) => row['total'] === undefined || Number(row['total']) !== 0)
      .map((row) => {
        const values = Object.entries(row).map(([name, value]) => {
          const isNumber = name === 'score' || typeof value === 'bigint'
          return [name, isNumber ? Number(value) : value]
        })
        return JSON.stringify(Object.fromEntries(values)).replaceAll(
          /[a-z]{3}_[0-9a-z]{26}/g,
          (id) => labels.get(id) ?? id,
        )
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
      // Limits the index to the things that exist now, so that a repetition of the act chooses the same thing.
      act.thing %= Math.max(1, world.things.length)
      if (await perform(world, act)) done.push(act)
      if (random() < 0.4) await decide(world, open, random)
      if (random() < 0.2) await undoOne(world, open, random)
    }
    await waitForDecisions(world)
    assert.deepEqual(await examine(world), [])
    while (open.length > 0) await undoOne(world, open, random)
    for (const act of done) assert.ok(await perform(reference, act), JSON.stringify(act))
    assert.deepEqual(await examine(world), [])
    assert.deepEqual(await dump(world), await dump(reference))
    assert.ok(world.things.length > 10)
    assert.equal(await moderated.count('hidden_subjects'), 0)
    for (const action of ['warn', 'hide', 'rate', 'block_file', 'suspend', 'sweep']) {
      const { total } = dataOf(
        await world.admin.get(`/admin/decisions?action=${action}`),
      ).pagination
      assert.ok(total > 0, action)
    }
    await Promise.all([moderated.close(), plain.close()])
  })
}
