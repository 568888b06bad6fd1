/** Actions of users, such as likes, follows, comments and messages, with their effects on the model. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Loose } from './actors.ts'
import { idsOf } from './make.ts'
import {
  act,
  type Command,
  fresh,
  isHidden,
  key,
  type Model,
  ok,
  own,
  type Real,
  type World,
} from './model.ts'

const count = (set: ReadonlySet<string>, end: string) =>
  [...set].filter((entry) => entry.endsWith(end)).length

function mark(
  kind: 'like' | 'bookmark',
  by: number,
  content: number,
  how: 'post' | 'put' | 'delete',
) {
  return own(by, `${how} ${kind} of ${content}`, async (model, { world }) => {
    const marks = kind === 'like' ? model.likes : model.bookmarks
    const entry = key(by, content)
    const isSet = how === 'put' || (how === 'post' && !marks.has(entry))
    const answer = await world.users[by]![how](`/contents/${world.contents[content]}/${kind}`)
    if (!model.isPublic(content)) return assert.equal(answer.status, 404)
    if (kind === 'like' && isSet && !marks.has(entry) && model.isBlocked(by, 0)) {
      return assert.equal(answer.error?.code, 'NOT_ALLOWED_HERE')
    }
    if (isSet) marks.add(entry)
    else marks.delete(entry)
    const data = await ok(Promise.resolve(answer))
    const flag = kind === 'like' ? data.is_liked : data.is_bookmarked
    const total = kind === 'like' ? data.like_count : data.bookmark_count
    assert.deepEqual([flag, total], [isSet, count(marks, ` ${content}`)])
  })
}

function follow(by: number, whom: number, how: 'post' | 'put' | 'delete'): Command {
  return own(by, `${how} follow of ${whom}`, async (model, { world }) => {
    const answer = await world.users[by]![how](`/creators/${world.users[whom]!.handle}/follow`)
    if (by === whom) return assert.equal(answer.error?.code, 'CANNOT_FOLLOW_SELF')
    if (!model.isActive(whom)) return assert.equal(answer.error?.code, 'CREATOR_NOT_FOUND')
    const entry = key(by, whom)
    const isSet = how === 'put' || (how === 'post' && !model.follows.has(entry))
    if (isSet && !model.follows.has(entry) && model.isBlocked(by, whom)) {
      return assert.equal(answer.error?.code, 'NOT_ALLOWED_HERE')
    }
    if (isSet) model.follows.add(entry)
    else model.follows.delete(entry)
    const { is_following, follower_count } = await ok(Promise.resolve(answer))
    assert.deepEqual([is_following, follower_count], [isSet, count(model.follows, ` ${whom}`)])
  })
}

function createComment(by: number, content: number): Command {
  return own(by, `comment on ${content}`, async (model, { world }) => {
    const body = `comment ${model.comments.length}`
    const path = `/contents/${world.contents[content]}/comments`
    const answer = await world.users[by]!.post(path, { body })
    if (!model.isPublic(content)) return assert.equal(answer.status, 404)
    if (model.isBlocked(by, 0)) return assert.equal(answer.error?.code, 'NOT_ALLOWED_HERE')
    const { comment: made } = await ok(Promise.resolve(answer))
    model.comments.push({ ...fresh, id: made.id, content, by, body })
  })
}

function changeComment(by: number, n: number, isDeletion: boolean): Command {
  return own(
    by,
    `${isDeletion ? 'delete' : 'edit'} comment ${n}`,
    async (model, { world }) => {
      const found = model.comments[n % model.comments.length]!
      const user = world.users[by]!
      const answer = isDeletion
        ? await user.delete(`/comments/${found.id}`)
        : await user.patch(`/comments/${found.id}`, { body: `edited ${n}` })
      const isLocked = found.isDeleted || (isHidden(found) && !isDeletion)
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
        (comment) => comment.content === index && !comment.isDeleted && !isHidden(comment),
      )
      const path = `/contents/${world.contents[index]}`
      const [reader = 0] = [1, 2].filter((user) => model.isActive(user))
      if (reader > 0) {
        const { status } = await world.users[reader]!.get(path)
        assert.equal(status, model.isPublic(index) ? 200 : 404)
      }
      const { status, data } = await world.moderator.get(path)
      assert.equal(status, model.contents[index]!.isDeleted ? 404 : 200)
      if (status === 404) return
      assert.equal(data.content.comment_count, due.length)
      const seen: string[] = []
      for (let page = 1; ; page++) {
        const { comments, pagination } = await ok(
          world.moderator.get(`${path}/comments?filtered=show&per_page=${perPage}&page=${page}`),
        )
        seen.push(...comments.map((comment: Loose) => `${comment.id} ${comment.body}`))
        assert.equal(pagination.total, due.length)
        if (!pagination.has_next) break
        assert.ok(page < 200)
      }
      assert.deepEqual(
        seen,
        due.map(({ id, body }) => `${id} ${body}`),
      )
    },
  )
}

/**
 * Returns an action in the conversation. Skips the action when the conversation cannot be opened: it does not exist,
 * and the other user is suspended or erased.
 */
function talk(by: number, name: string, run: (model: Model, real: Real) => Promise<void>) {
  const canOpen = (model: Readonly<Model>) => model.conversation !== '' || model.isActive(1 - by)
  return own(by, name, run, canOpen)
}

function say(by: number): Command {
  return talk(by, 'message', async (model, { world }) => {
    const body = `message ${model.messages.length}`
    const path = `/dm/conversations/${await conversationOf(model, world, by)}/messages`
    const answer = await world.users[by]!.post(path, { body })
    if (!model.isActive(1 - by) || model.isBlocked(0, 1)) {
      return assert.equal(answer.error?.code, 'PEER_UNAVAILABLE')
    }
    const { message } = await ok(Promise.resolve(answer))
    model.messages.push({ id: message.id, by, body })
    model.unread[1 - by]! += 1
  })
}

async function conversationOf(model: Model, world: World, by: number): Promise<string> {
  const peer = { user_id: world.users[1 - by]!.id }
  const answer = await world.users[by]!.post('/dm/conversations', peer)
  if (!model.isActive(1 - by)) assert.equal(answer.status, 422)
  else {
    const { conversation } = await ok(Promise.resolve(answer))
    if (model.conversation !== '') assert.equal(conversation.id, model.conversation)
    model.conversation = conversation.id
  }
  return model.conversation
}

function readMessages(by: number): Command {
  return talk(by, 'read messages', async (model, { world }) => {
    const path = `/dm/conversations/${await conversationOf(model, world, by)}`
    const { marked_count } = await ok(world.users[by]!.post(`${path}/read`))
    assert.equal(marked_count, model.unread[by])
    model.unread[by] = 0
  })
}

/** Command that pages through the messages of a conversation. Each page lists the oldest message first. */
function walkMessages(by: number, limit: number): Command {
  return talk(by, `page through messages, ${limit} at a time`, async (model, { world }) => {
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
  return own(by, 'post', async (model, { world }) => {
    const { post: made } = await ok(world.users[by]!.post('/posts', { body: 'a post' }))
    model.posts.push({ ...fresh, id: made.id, by })
  })
}

function deletePost(by: number, n: number): Command {
  return own(
    by,
    `delete post ${n}`,
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

function walkPosts(by: number, limit: number): Command {
  return own(by, `page through posts, ${limit} at a time`, async (model, { world }) => {
    const due = model.posts.filter((post) => post.by === by && !isHidden(post)).map(({ id }) => id)
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
 * Command that checks that all responses return the same unread count, and that no notification is about the user's
 * own actions. With `isReading`, also marks all notifications as read and checks how many of them changed.
 */
function readNotifications(by: number, isReading: boolean): Command {
  return own(by, `${isReading ? 'read' : 'count'} notifications`, async (_model, { world }) => {
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
  })
}

const who = fc.nat({ max: 2 })
const pair = fc.nat({ max: 1 })
const which = fc.nat({ max: 1 })
const how = fc.constantFrom('post' as const, 'put' as const, 'delete' as const)
const size = fc.integer({ min: 1, max: 4 })

export const USER_ACTS: fc.Arbitrary<Command>[] = [
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
  fc.tuple(who, fc.boolean()).map((a) => readNotifications(...a)),
]
