/** Blocks, mutes, decisions of moderators, suspensions and erasures, with their effects on the model. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { act, type Command, isHidden, key, Model, ok, type Text, type World } from './model.ts'
import { USER_ACTS } from './user-model.ts'

const LISTS = ['content', 'comment', 'post'] as const
type Kind = (typeof LISTS)[number]
const listOf = (model: Readonly<Model>, kind: Kind): readonly Text[] => model[`${kind}s`]

/** Command that hides a text, or undoes the decision that hides it. A `sweep` decision may hide this text too. */
function moderate(kind: Kind, n: number, isUndo: boolean): Command {
  return act(
    `${isUndo ? 'undo the hiding of' : 'hide'} ${kind} ${n}`,
    async (model, { world }) => {
      const list = listOf(model, kind)
      const found = list[n % list.length]!
      if (isUndo) {
        const { status } = await world.moderator.post(`/admin/decisions/${found.hide || 'x'}/undo`)
        assert.equal(status, found.hide === '' ? 404 : 200)
        found.hide = ''
        return
      }
      const decision = { subject: { kind, id: found.id }, action: 'hide', reason: 'Spam' }
      const { status, data, text } = await world.moderator.post('/admin/decisions', decision)
      assert.equal(status, found.isDeleted ? 404 : found.hide === '' ? 201 : 200, text)
      if (status === 201) found.hide = data.decision.id
    },
    (model) => listOf(model, kind).length > 0,
  )
}

/** Command that hides all visible texts of a user, or shows them again. */
function sweep(whom: number, isUndo: boolean): Command {
  return act(
    `${isUndo ? 'undo the sweep' : 'sweep'} of ${whom}`,
    async (model, { world }) => {
      const id = model.sweeps.get(whom)
      if (isUndo) {
        await ok(world.moderator.post(`/admin/decisions/${id}/undo`))
        model.sweeps.delete(whom)
        for (const text of model.texts) if (text.sweep === id) text.sweep = ''
      } else {
        const subject = { kind: 'user', id: world.users[whom]!.id }
        const decision = { subject, action: 'sweep', reason: 'Spam', since: '2020-01-01T00:00:00Z' }
        const { decision: made } = await ok(world.moderator.post('/admin/decisions', decision))
        model.sweeps.set(whom, made.id)
        for (const text of model.texts) {
          if (text.by === whom && !text.isDeleted && !isHidden(text)) text.sweep = made.id
        }
      }
      await world.waitForJobs()
    },
    (model) => !model.erased.has(whom) && model.sweeps.has(whom) === isUndo,
  )
}

/** Command that suspends a user, or lifts the suspension and signs the user in. A suspension ends all sessions. */
function suspend(whom: number, isSuspended: boolean): Command {
  return act(
    `${isSuspended ? 'suspend' : 'readmit'} ${whom}`,
    async (model, { world }) => {
      const user = world.users[whom]!
      await ok(world.moderator.patch(`/admin/users/${user.id}`, { is_suspended: isSuspended }))
      assert.equal((await user.get('/auth/me')).status, 401)
      if (isSuspended) model.suspended.add(whom)
      else {
        model.suspended.delete(whom)
        world.users[whom] = { ...user, ...(await world.signIn(user)) }
      }
    },
    (model) => !model.erased.has(whom) && model.suspended.has(whom) !== isSuspended,
  )
}

/** Command that erases a user with all contents and texts. Keeps the user's messages and others' blocks of the user. */
function eraseUser(whom: number): Command {
  return act(
    `erase ${whom}`,
    async (model, { world }) => {
      const choices = { contents: 'erase', texts: 'erase', reason: 'Requested' }
      await ok(world.moderator.post(`/admin/users/${world.users[whom]!.id}/erasure`, choices))
      await world.waitForJobs()
      model.erased.add(whom)
      for (const set of [model.likes, model.bookmarks, model.blocks]) removeFrom(set, `${whom} `)
      for (const entry of model.follows) if (entry.includes(`${whom}`)) model.follows.delete(entry)
      removeTexts(model, ({ by }) => by === whom)
    },
    (model) => !model.erased.has(whom),
  )
}

/** Command that archives and erases content. */
function eraseContent(index: number): Command {
  return act(
    `erase content ${index}`,
    async (model, { world }) => {
      const [creator] = world.users
      await ok(creator!.delete(`/contents/${world.contents[index]}`))
      await ok(creator!.post(`/contents/${world.contents[index]}/erasure`))
      await world.waitForJobs()
      removeTexts(model, (text) => text === model.contents[index])
    },
    (model) => model.isPublic(index),
  )
}

/** Deletes the texts that match `isGone`, and all comments on deleted contents, from the model. */
function removeTexts(model: Model, isGone: (text: Text) => boolean): void {
  for (const content of model.contents) if (isGone(content)) content.isDeleted = true
  for (const comment of model.comments) {
    if (isGone(comment) || model.contents[comment.content]!.isDeleted) comment.isDeleted = true
  }
  const left = model.posts.filter((post) => !isGone(post))
  model.posts.splice(0, model.posts.length, ...left)
}

function removeFrom(set: Set<string>, start: string): void {
  for (const entry of set) if (entry.startsWith(start)) set.delete(entry)
}

/** Command that starts or ends a block or mute. A mute changes nothing in the model. */
function filter(kind: 'block' | 'mute', by: number, whom: number, isSet: boolean): Command {
  return act(
    `${isSet ? '' : 'un'}${kind} ${whom} by ${by}`,
    async (model, { world }) => {
      const user = world.users[by]!
      const path = `/creators/${world.users[whom]!.handle}/${kind}`
      const { status } = isSet ? await user.put(path) : await user.delete(path)
      const isFound = !model.erased.has(whom) && !(isSet && model.suspended.has(whom))
      assert.equal(status, isFound ? 200 : 404)
      if (!isFound || kind === 'mute') return
      if (isSet) {
        model.blocks.add(key(by, whom))
        for (const entry of [key(by, whom), key(whom, by)]) model.follows.delete(entry)
      } else model.blocks.delete(key(by, whom))
      const { pagination } = await ok(user.get('/blocks'))
      assert.equal(pagination.total, [...model.blocks].filter((b) => b.startsWith(`${by} `)).length)
    },
    (model) => by !== whom && model.isActive(by),
  )
}

function profile(whom: number): Command {
  return act(`profile of ${whom}`, async (model, { world }) => {
    const { status, data } = await world.moderator.get(`/creators/${world.users[whom]!.handle}`)
    assert.equal(status, model.isActive(whom) ? 200 : 404)
    if (status === 404) return
    const { follower_count, following_count, content_count } = data.creator
    const follows = [...model.follows]
    assert.deepEqual(
      [follower_count, following_count, content_count],
      [
        follows.filter((entry) => entry.endsWith(` ${whom}`)).length,
        follows.filter((entry) => entry.startsWith(`${whom} `)).length,
        whom === 0 ? model.contents.filter((_, index) => model.isPublic(index)).length : 0,
      ],
    )
  })
}

const who = fc.nat({ max: 2 })
const some = fc.nat({ max: 99 })

const STAFF_ACTS: fc.Arbitrary<Command>[] = [
  fc.tuple(fc.constantFrom(...LISTS), some, fc.boolean()).map((a) => moderate(...a)),
  fc.tuple(who, fc.boolean()).map((a) => sweep(...a)),
  fc.tuple(who, fc.boolean()).map((a) => suspend(...a)),
  fc
    .tuple(fc.constantFrom('block' as const, 'mute' as const), who, who, fc.boolean())
    .map((a) => filter(...a)),
  who.map(profile),
  // After erasures and suspensions few actions are possible, so erasures are rare, and suspensions end soon.
  fc
    .tuple(some, who)
    .map(([chance, user]) => (chance < 8 ? eraseUser(user) : suspend(user, false))),
  fc
    .tuple(some, who)
    .map(([chance, n]) => (chance < 8 && n < 2 ? eraseContent(n) : suspend(n, false))),
]

/** Returns the property that sequential random actions have the results that the model predicts. */
export function serialProperty(makeWorld: () => Promise<World>, maxCommands: number) {
  const acts = fc.commands([...USER_ACTS, ...STAFF_ACTS], { maxCommands, size: 'max' })
  return fc.asyncProperty(acts, async (list) => {
    const world = await makeWorld()
    const model = new Model(world.contents)
    await fc.asyncModelRun(() => ({ model, real: { world } }), list)
  })
}
