/** Actions of users, moderators and an admin that the race test sends concurrently, and the data that they use. */
import { createHash } from 'node:crypto'
import type { Actor, Answer } from '../../test/actors.ts'
import { upload } from '../../test/uploads.ts'
import type { Target } from './target.ts'

/** Maximum number of ids kept per kind, except decisions. Older ids are dropped. */
const KEPT = 60
/** Response status when the server rejects a request because too many are in progress. */
export const OVERLOADED = 503

type Kind = 'content' | 'comment' | 'post' | 'message' | 'decision' | 'upload'

/** Returns a seeded random number generator (Mulberry32). Its numbers are at least 0 and less than 1. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

export class World {
  readonly target: Target
  readonly admin: Actor
  readonly moderator: Actor
  readonly users: Actor[] = []
  readonly pictures: Buffer[]
  readonly random: () => number
  readonly #ids: Record<Kind, string[]> = {
    content: [],
    comment: [],
    post: [],
    message: [],
    decision: [],
    upload: [],
  }
  /** Id of the user who created each record, by the record's id. */
  readonly #owners = new Map<string, string>()
  #made = 0

  constructor(target: Target, seed: number, staff: [Actor, Actor], pictures: Buffer[]) {
    this.target = target
    this.random = randomOf(seed)
    ;[this.admin, this.moderator] = staff
    this.pictures = pictures
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)] as T
  }

  id(kind: Kind): string {
    return this.pick(this.#ids[kind]) ?? 'none'
  }

  /** Returns the id and owner of a random record of a kind, or `none` and a random user if there is no record. */
  own(kind: Kind): { id: string; owner: Actor } {
    const id = this.id(kind)
    const owner = this.users.find((user) => user.id === this.#owners.get(id))
    return { id, owner: owner ?? this.pick(this.users) }
  }

  keep(kind: Kind, user: Actor, answer: Answer): Answer {
    const id = answer.status === 201 ? answer.data?.[kind]?.id : undefined
    if (id !== undefined) {
      this.#ids[kind].push(id)
      this.#owners.set(id, user.id)
    }
    if (kind !== 'decision' && this.#ids[kind].length > KEPT) this.#ids[kind].shift()
    return answer
  }

  get decisions(): string[] {
    return this.#ids.decision
  }

  async addUser(): Promise<void> {
    this.users.push(await this.target.user('user', `racer_${++this.#made}`))
  }

  /** Signs a user in again after a suspension, and replaces an erased user. */
  async revive(user: Actor): Promise<void> {
    const index = this.users.indexOf(user)
    if (index < 0) return
    const [row] = await this.target.sql(
      `select is_suspended, erased_at from users where id = '${user.id}'`,
    )
    if (row?.['erased_at'] != null) {
      this.users.splice(index, 1)
      await this.addUser()
    } else if (Number(row?.['is_suspended']) === 0) {
      const token = await this.target.session(user.id)
      this.users[index] = { ...user, ...this.target.caller(token), token }
    }
  }
}

export type Act = (world: World, user: Actor) => Promise<Answer>

/** Returns an action of a record's owner on a random record. */
function onOwn(kind: Kind, run: (id: string, owner: Actor) => Promise<Answer>): Act {
  return (world) => {
    const { id, owner } = world.own(kind)
    return run(id, owner)
  }
}

/** Returns an action that also keeps the id of the record that it creates. */
function keeping(kind: Kind, act: Act): Act {
  return async (world, user) => world.keep(kind, user, await act(world, user))
}

/** Returns an action of a user that sends a request about a random user. */
const toUser =
  (method: 'POST' | 'PUT' | 'DELETE', path: string): Act =>
  (world, user) =>
    user.request(method, `/creators/${world.pick(world.users).handle}/${path}`)

const decide = async (world: World, by: Actor, subject: object, action: string, more = {}) => {
  const body = { subject, action, reason: world.pick(['Spam', 'Abuse']), ...more }
  return world.keep('decision', by, await by.post('/admin/decisions', body))
}
const HIDEABLE = ['content', 'comment', 'post', 'message'] as const

/** Actions by name, each with its weight in the random choice. */
export const ACTS: Record<string, [number, Act]> = {
  content: [
    4,
    keeping('content', (world, user) =>
      user.post('/contents', {
        category: world.pick(['hype', 'swipe', 'jump']),
        type: 'image',
        title: 'A title',
        tags: world.pick([['a'], ['a', 'b'], []]),
        ...(world.random() < 0.5 && { upload_ids: [world.id('upload')] }),
      }),
    ),
  ],
  edit: [3, onOwn('content', (id, owner) => owner.patch(`/contents/${id}`, { tags: ['c'] }))],
  visibility: [
    2,
    (world) => {
      const { id, owner } = world.own('content')
      return owner.patch(`/contents/${id}`, {
        visibility: world.pick(['public', 'unlisted', 'followers']),
        rating: world.pick(['everyone', 'teen', 'adult']),
      })
    },
  ],
  archive: [1, onOwn('content', (id, owner) => owner.delete(`/contents/${id}`))],
  restore: [1, onOwn('content', (id, owner) => owner.post(`/contents/${id}/restore`))],
  publish: [
    1,
    onOwn('content', (id, owner) => owner.patch(`/contents/${id}`, { status: 'published' })),
  ],
  upload: [2, keeping('upload', (world, user) => upload(user, world.pick(world.pictures)))],
  avatar: [
    2,
    (world, user) =>
      user.patch('/auth/me', { avatar_upload_id: world.pick([null, world.id('upload')]) }),
  ],
  like: [10, (world, user) => user.post(`/contents/${world.id('content')}/like`)],
  bookmark: [5, (world, user) => user.post(`/contents/${world.id('content')}/bookmark`)],
  follow: [6, toUser('POST', 'follow')],
  comment: [
    10,
    keeping('comment', (world, user) => {
      const path = `/contents/${world.id('content')}/comments`
      const parent_id = world.random() < 0.2 ? world.id('comment') : null
      return user.post(path, { body: 'A comment', parent_id })
    }),
  ],
  'delete comment': [4, onOwn('comment', (id, owner) => owner.delete(`/comments/${id}`))],
  post: [4, keeping('post', (_, user) => user.post('/posts', { body: 'Post' }))],
  reply: [
    6,
    keeping('post', (world, user) =>
      user.post(`/posts/${world.id('post')}/replies`, { body: 'Reply' }),
    ),
  ],
  'like post': [6, (world, user) => user.post(`/posts/${world.id('post')}/like`)],
  'delete post': [3, onOwn('post', (id, owner) => owner.delete(`/posts/${id}`))],
  message: [
    6,
    keeping('message', async (world, user) => {
      const peer = { user_id: world.pick(world.users).id }
      const opened = await user.post('/dm/conversations', peer)
      if (opened.status >= 300) return opened
      const path = `/dm/conversations/${opened.data.conversation.id}`
      if (world.random() < 0.2) return user.post(`${path}/read`)
      return user.post(`${path}/messages`, { body: 'Hello' })
    }),
  ],
  'read notifications': [2, (_world, user) => user.post('/notifications/read-all')],
  block: [2, toUser('PUT', 'block')],
  unblock: [3, toUser('DELETE', 'block')],
  mute: [2, toUser('PUT', 'mute')],
  unmute: [2, toUser('DELETE', 'mute')],
  report: [
    2,
    (world, user) => {
      const kind = world.pick(HIDEABLE)
      return user.post('/reports', { subject: { kind, id: world.id(kind) }, reason: 'spam' })
    },
  ],
  hide: [
    6,
    (world) => {
      const kind = world.pick(HIDEABLE)
      const by = world.pick([world.admin, world.moderator])
      return decide(world, by, { kind, id: world.id(kind) }, 'hide')
    },
  ],
  rate: [
    1,
    (world) =>
      decide(world, world.moderator, { kind: 'content', id: world.id('content') }, 'rate', {
        rating: world.pick(['teen', 'adult']),
      }),
  ],
  'block file': [
    1,
    (world) => {
      const id = createHash('sha256').update(world.pick(world.pictures)).digest('hex')
      return decide(world, world.moderator, { kind: 'file', id }, 'block_file')
    },
  ],
  suspend: [
    0.4,
    (world, user) => decide(world, world.admin, { kind: 'user', id: user.id }, 'suspend'),
  ],
  sweep: [
    0.2,
    (world, user) => {
      const since = new Date(Date.now() - 5000).toISOString()
      return decide(world, world.admin, { kind: 'user', id: user.id }, 'sweep', { since })
    },
  ],
  lift: [
    0.6,
    (world, user) => world.admin.patch(`/admin/users/${user.id}`, { is_suspended: false }),
  ],
  undo: [
    9,
    async (world) => {
      const [id = 'none'] = world.decisions.splice(
        Math.floor(world.random() * world.decisions.length),
        1,
      )
      const answer = await world.admin.post(`/admin/decisions/${id}/undo`, {})
      if (answer.status === OVERLOADED) world.decisions.push(id)
      return answer
    },
  ],
  'erase content': [1, onOwn('content', (id, owner) => owner.post(`/contents/${id}/erasure`, {}))],
  'erase user': [
    0.15,
    (world, user) =>
      world.admin.post(`/admin/users/${user.id}/erasure`, {
        contents: world.pick(['erase', 'keep']),
        texts: world.pick(['erase', 'keep']),
        reason: 'Requested',
      }),
  ],
}
