/**
 * Compares random sequences of actions with an in-memory model. Counts, lists and flags must match the
 * acknowledged actions, whether they run in sequence or concurrently.
 */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Anyone, Loose } from './actors.ts'
import { idsOf } from './make.ts'

export interface World {
  /** Three users. The first one created the contents. */
  users: (Anyone & { id: string; handle: string })[]
  contents: string[]
  moderator: Anyone
}

export class Model {
  readonly likes = new Set<string>()
  readonly bookmarks = new Set<string>()
  readonly follows = new Set<string>()
  /** Comments in order of creation. `content` is an index into the contents. */
  readonly comments: {
    id: string
    content: number
    by: number
    body: string
    isDeleted: boolean
    /** Id of the decision that hides it; empty without one. */
    hiddenBy: string
  }[] = []
  readonly messages: { id: string; by: number; body: string }[] = []
  readonly unread = [0, 0]
  readonly posts: { id: string; by: number; hiddenBy: string }[] = []
  conversation = ''
}

export interface Real {
  world: World
}

type Command = fc.AsyncCommand<Model, Real>

function act(
  name: string,
  run: (model: Model, real: Real) => Promise<void>,
  check: (model: Readonly<Model>) => boolean = () => true,
): Command {
  return { check, run, toString: () => name }
}

export async function ok(
  answer: Promise<{ status: number; data: Loose; text: string }>,
): Promise<Loose> {
  const { status, data, text } = await answer
  assert.ok(status < 300, text)
  return data
}

const key = (...parts: (string | number)[]) => parts.join(' ')
const count = (set: ReadonlySet<string>, end: string) =>
  [...set].filter((entry) => entry.endsWith(end)).length

function mark(
  kind: 'like' | 'bookmark',
  by: number,
  content: number,
  how: 'post' | 'put' | 'delete',
) {
  return act(`${how} ${kind} by ${by} of ${content}`, async (model, { world }) => {
    const marks = kind === 'like' ? model.likes : model.bookmarks
    const entry = key(by, content)
    const isSet = how === 'put' || (how === 'post' && !marks.has(entry))
    if (isSet) marks.add(entry)
    else marks.delete(entry)
    const data = await ok(world.users[by]![how](`/contents/${world.contents[content]}/${kind}`))
    const flag = kind === 'like' ? data.is_liked : data.is_bookmarked
    const total = kind === 'like' ? data.like_count : data.bookmark_count
    assert.deepEqual([flag, total], [isSet, count(marks, ` ${content}`)])
  })
}

function follow(by: number, whom: number, how: 'post' | 'put' | 'delete'): Command {
  return act(`${how} follow by ${by} of ${whom}`, async (model, { world }) => {
    const answer = await world.users[by]![how](`/creators/${world.users[whom]!.handle}/follow`)
    if (by === whom) return assert.equal(answer.error?.code, 'CANNOT_FOLLOW_SELF')
    const entry = key(by, whom)
    const isSet = how === 'put' || (how === 'post' && !model.follows.has(entry))
    if (isSet) model.follows.add(entry)
    else model.follows.delete(entry)
    const { is_following, follower_count } = await ok(Promise.resolve(answer))
    assert.deepEqual([is_following, follower_count], [isSet, count(model.follows, ` ${whom}`)])
  })
}

function createComment(by: number, content: number): Command {
  return act(`comment by ${by} on ${content}`, async (model, { world }) => {
    const body = `comment ${model.comments.length}`
    const path = `/contents/${world.contents[content]}/comments`
    const { comment: made } = await ok(world.users[by]!.post(path, { body }))
    model.comments.push({ id: made.id, content, by, body, isDeleted: false, hiddenBy: '' })
  })
}

function changeComment(by: number, n: number, isDeletion: boolean): Command {
  return act(
    `${isDeletion ? 'delete' : 'edit'} comment ${n} by ${by}`,
    async (model, { world }) => {
      const found = model.comments[n % model.comments.length]!
      const user = world.users[by]!
      const answer = isDeletion
        ? await user.delete(`/comments/${found.id}`)
        : await user.patch(`/comments/${found.id}`, { body: `edited ${n}` })
      const isLocked = found.isDeleted || (found.hiddenBy !== '' && !isDeletion)
      if (found.by !== by || isLocked) return assert.equal(answer.status, 404)
      if (isDeletion) found.isDeleted = true
      else found.body = `edited ${n}`
      assert.ok(answer.status < 300, answer.text)
    },
    (model) => model.comments.length > 0,
  )
}

function walkComments(index: number, perPage: number): Command {
  return act(
    `page through comments of ${index}, ${perPage} at a time`,
    async (model, { world }) => {
      const due = model.comments.filter(
        ({ content, isDeleted, hiddenBy }) => content === index && !isDeleted && hiddenBy === '',
      )
      const seen: string[] = []
      for (let page = 1; ; page++) {
        const path = `/contents/${world.contents[index]}/comments?filtered=show&per_page=${perPage}&page=${page}`
        const { comments, pagination } = await ok(world.users[0]!.get(path))
        seen.push(...comments.map((comment: Loose) => `${comment.id} ${comment.body}`))
        assert.equal(pagination.total, due.length)
        if (!pagination.has_next) break
        assert.ok(page < 200)
      }
      assert.deepEqual(
        seen,
        due.map(({ id, body }) => `${id} ${body}`),
      )
      const path = `/contents/${world.contents[index]}`
      const { content } = await ok(world.users[1]!.get(path))
      assert.equal(content.comment_count, due.length)
    },
  )
}

function say(by: number): Command {
  return act(`message by ${by}`, async (model, { world }) => {
    const body = `message ${model.messages.length}`
    const path = `/dm/conversations/${await conversationOf(model, world, by)}/messages`
    const { message } = await ok(world.users[by]!.post(path, { body }))
    model.messages.push({ id: message.id, by, body })
    model.unread[1 - by]! += 1
  })
}

async function conversationOf(model: Model, world: World, by: number): Promise<string> {
  const peer = { user_id: world.users[1 - by]!.id }
  const { conversation } = await ok(world.users[by]!.post('/dm/conversations', peer))
  if (model.conversation !== '') assert.equal(conversation.id, model.conversation)
  model.conversation = conversation.id
  return conversation.id
}

function readMessages(by: number): Command {
  return act(`read messages by ${by}`, async (model, { world }) => {
    const path = `/dm/conversations/${await conversationOf(model, world, by)}`
    const { marked_count } = await ok(world.users[by]!.post(`${path}/read`))
    assert.equal(marked_count, model.unread[by])
    model.unread[by] = 0
  })
}

/** Pages through the messages of a conversation. Each page lists the oldest message first. */
function walkMessages(by: number, limit: number): Command {
  return act(`page through messages by ${by}, ${limit} at a time`, async (model, { world }) => {
    const id = await conversationOf(model, world, by)
    const seen: string[] = []
    let before = ''
    for (let calls = 0; ; calls++) {
      const path = `/dm/conversations/${id}/messages?limit=${limit}${before}`
      const { messages, next_cursor } = await ok(world.users[by]!.get(path))
      seen.unshift(...messages.map((message: Loose) => message.id))
      if (next_cursor === null) break
      assert.ok(calls <= Math.ceil(model.messages.length / limit))
      before = `&before=${next_cursor}`
    }
    assert.deepEqual(seen, idsOf(model.messages))
  })
}

function createPost(by: number): Command {
  return act(`post by ${by}`, async (model, { world }) => {
    const { post: made } = await ok(world.users[by]!.post('/posts', { body: 'a post' }))
    model.posts.push({ id: made.id, by, hiddenBy: '' })
  })
}

function deletePost(by: number, n: number): Command {
  return act(
    `delete post ${n} by ${by}`,
    async (model, { world }) => {
      const index = n % model.posts.length
      const found = model.posts[index]!
      const { status } = await world.users[by]!.delete(`/posts/${found.id}`)
      assert.equal(status, found.by === by ? 204 : 404)
      if (status === 204) model.posts.splice(index, 1)
    },
    (model) => model.posts.length > 0,
  )
}

type Hidable = { id: string; hiddenBy: string; isDeleted?: boolean }

/** A moderator hides a text, or undoes the decision that hides it. */
function moderate(kind: 'comment' | 'post', n: number, isUndo: boolean): Command {
  const listOf = ({ comments, posts }: Readonly<Model>): readonly Hidable[] =>
    kind === 'comment' ? comments : posts
  return act(
    `${isUndo ? 'undo the hiding of' : 'hide'} ${kind} ${n}`,
    async (model, { world }) => {
      const list = listOf(model)
      const found = list[n % list.length]!
      const { moderator } = world
      if (isUndo) {
        const { status } = await moderator.post(`/admin/decisions/${found.hiddenBy || 'x'}/undo`)
        assert.equal(status, found.hiddenBy === '' ? 404 : 200)
        found.hiddenBy = ''
        return
      }
      const subject = { kind, id: found.id }
      const body = { subject, action: 'hide', reason: 'Spam' }
      const { status, data, text } = await moderator.post('/admin/decisions', body)
      assert.equal(status, found.isDeleted ? 404 : found.hiddenBy === '' ? 201 : 200, text)
      if (status === 201) found.hiddenBy = data.decision.id
    },
    (model) => listOf(model).length > 0,
  )
}

/** Mutes or unmutes a user, which must change no count and no list of the model. */
function mute(by: number, whom: number, isMuted: boolean): Command {
  return act(`${isMuted ? 'mute' : 'unmute'} ${whom} by ${by}`, async (_model, { world }) => {
    if (by === whom) return
    const path = `/creators/${world.users[whom]!.handle}/mute`
    await ok(isMuted ? world.users[by]!.put(path) : world.users[by]!.delete(path))
  })
}

function walkPosts(by: number, limit: number): Command {
  return act(`page through posts of ${by}, ${limit} at a time`, async (model, { world }) => {
    const due = model.posts
      .filter((post) => post.by === by && post.hiddenBy === '')
      .map(({ id }) => id)
    const seen: string[] = []
    let before = ''
    for (let calls = 0; ; calls++) {
      const { posts, next_cursor } = await ok(
        world.users[by]!.get(`/users/me/posts?limit=${limit}${before}`),
      )
      seen.push(...posts.map((post: Loose) => post.id))
      if (next_cursor === null) break
      assert.ok(calls <= Math.ceil(due.length / limit))
      before = `&before=${next_cursor}`
    }
    assert.deepEqual(seen, due.toReversed())
  })
}

/**
 * Checks that all unread counts are equal, and that own actions caused no notification. With `isReading`,
 * marks all notifications as read and checks how many of them changed.
 */
function notices(by: number, isReading: boolean): Command {
  return act(
    `${isReading ? 'read' : 'count'} notifications of ${by}`,
    async (_model, { world }) => {
      const user = world.users[by]!
      const { unread_count } = await ok(user.get('/notifications/unread-count'))
      const list = await ok(user.get('/notifications?per_page=100'))
      assert.equal(list.unread_count, unread_count)
      const shown = list.notifications.filter((entry: Loose) => !entry.is_read).length
      if (list.pagination.total <= 100) assert.equal(shown, unread_count)
      for (const { actor } of list.notifications) assert.notEqual(actor?.id, user.id)
      if (!isReading) return
      assert.equal((await ok(user.post('/notifications/read-all'))).updated, unread_count)
      assert.equal((await ok(user.get('/notifications/unread-count'))).unread_count, 0)
    },
  )
}

const who = fc.nat({ max: 2 })
const pair = fc.nat({ max: 1 })
const which = fc.nat({ max: 1 })
const how = fc.constantFrom('post' as const, 'put' as const, 'delete' as const)
const size = fc.integer({ min: 1, max: 4 })

const arbitraries: fc.Arbitrary<Command>[] = [
  fc
    .tuple(fc.constantFrom('like' as const, 'bookmark' as const), who, which, how)
    .map((a) => mark(...a)),
  fc.tuple(who, who, how).map((a) => follow(...a)),
  fc.tuple(who, which).map((a) => createComment(...a)),
  fc.tuple(who, fc.nat({ max: 99 }), fc.boolean()).map((a) => changeComment(...a)),
  fc.tuple(which, size).map((a) => walkComments(...a)),
  pair.map(say),
  pair.map(readMessages),
  fc.tuple(pair, size).map((a) => walkMessages(...a)),
  who.map(createPost),
  fc.tuple(who, fc.nat({ max: 99 })).map((a) => deletePost(...a)),
  fc.tuple(who, size).map((a) => walkPosts(...a)),
  fc
    .tuple(fc.constantFrom('comment' as const, 'post' as const), fc.nat({ max: 99 }), fc.boolean())
    .map((a) => moderate(...a)),
  fc.tuple(who, who, fc.boolean()).map((a) => mute(...a)),
  fc.tuple(who, fc.boolean()).map((a) => notices(...a)),
]

export function serialProperty(makeWorld: () => Promise<World>, maxCommands: number) {
  return fc.asyncProperty(fc.commands(arbitraries, { maxCommands, size: 'max' }), async (list) => {
    const world = await makeWorld()
    await fc.asyncModelRun(() => ({ model: new Model(), real: { world } }), list)
  })
}
