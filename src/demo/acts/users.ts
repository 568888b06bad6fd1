import type { Cast } from '../cast.ts'
import { type Act, interacting } from '../play.ts'
import type { Random } from '../random.ts'
import { HOUR } from '../times.ts'
import type { Conversation, Remark, User, World } from '../world.ts'

const UNREAD_OF_THE_FIRST = 12

export function userActs(cast: Cast, random: Random, world: World): Act[] {
  const { users, follows, comments, posts, postLikes, conversations } = world
  const [first, admin] = users as [User, User]
  return [
    ...users.map((user) => ({
      time: user.created_at,
      needs: [],
      makes: user,
      run: () => enter(cast, user),
    })),
    ...users.flatMap((user) => {
      // Marks notifications as read some hours before the last visit.
      const time = Math.floor(user.until - random.exponential(8 * HOUR))
      if (user === first || time <= user.created_at) return []
      return [{ time, needs: [user], run: () => cast.as(user).notifications.markAllRead() }]
    }),
    { time: first.until, needs: [], isLast: true, run: () => catchUp(cast, first) },
    ...users
      .filter(({ suspension }) => suspension !== null)
      .map((user) => {
        const change = { is_suspended: true, reason: user.suspension }
        const run = () => cast.as(admin).users.update(user.id, change)
        return { time: user.until, needs: [], isLast: true, run }
      }),
    ...interacting(follows, (user, { handle }) => cast.as(user).creators.follow(handle)),
    ...interacting(postLikes, (user, { id }) => cast.as(user).posts.like(id)),
    ...[...comments, ...posts].flatMap((remark) => remarking(cast, remark)),
    ...conversations.flatMap((conversation) => conversing(cast, conversation)),
  ]
}

async function enter(cast: Cast, user: User): Promise<void> {
  const plaza = await cast.enter(user)
  const { bio, portrait } = user
  const avatar_upload_id = portrait ? await cast.upload(user, portrait) : null
  await plaza.me.update({ bio, avatar_upload_id })
}

async function catchUp(cast: Cast, first: User): Promise<void> {
  const per_page = UNREAD_OF_THE_FIRST + 1
  const { notifications } = await cast.as(first).notifications.list({ per_page })
  const latest = notifications[UNREAD_OF_THE_FIRST]
  if (latest) await cast.as(first).notifications.markAllRead({ up_to: latest.id })
}

function remarking(cast: Cast, remark: Remark): Act[] {
  const { created_at, author, body, content, parent, edit, deleted_at } = remark
  const plaza = () => cast.as(author)
  const run = async () => {
    if (content) {
      const answered = parent && { parent_id: parent.id }
      const made = await plaza().comments.create(content.id, { body, ...answered })
      remark.id = made.comment.id
    } else {
      const posts = plaza().posts
      const made = await (parent ? posts.createReply(parent.id, { body }) : posts.create({ body }))
      remark.id = made.post.id
    }
  }
  const needs = [author, content, parent].filter((entity) => entity != null)
  const acts: Act[] = [{ time: created_at, needs, makes: remark, run }]
  if (edit) {
    const change = () => plaza().comments.update(remark.id, { body: edit.body })
    acts.push({ time: edit.time, needs: [remark], run: change })
  }
  if (deleted_at !== null) {
    const remove = () => plaza()[content ? 'comments' : 'posts'].delete(remark.id)
    acts.push({ time: deleted_at, needs: [], isLast: true, run: remove })
  }
  return acts
}

/** Returns the acts of a conversation. Each waits for the previous one. */
function conversing(cast: Cast, conversation: Conversation): Act[] {
  const { created_at, creator, peer, messages, readings } = conversation
  const needs = [conversation]
  const open = async () => {
    const made = await cast.as(creator).conversations.create({ user_id: peer.id })
    conversation.id = made.conversation.id
  }
  return [
    { time: created_at, needs: [creator, peer], makes: conversation, run: open },
    ...messages.map(({ time: sent, sender, body }) => {
      const run = () => cast.as(sender).conversations.sendMessage(conversation.id, { body })
      return { time: sent, needs, makes: conversation, run }
    }),
    ...readings.map(({ time: read, user }) => {
      const run = () => cast.as(user).conversations.markRead(conversation.id)
      return { time: read, needs, makes: conversation, run }
    }),
  ]
}
