/** Acts around accounts: registration, follows, reading notifications, and suspension. */
import type { Cast } from '../cast.ts'
import type { Act } from '../play.ts'
import type { Random } from '../random.ts'
import { HOUR } from '../times.ts'
import type { Follow, User, World } from '../world.ts'

/** Number of notifications that the first user leaves unread. */
const UNREAD_OF_THE_FIRST = 12

export function usersActs(cast: Cast, random: Random, { users, follows }: World): Act[] {
  const [first, admin] = users as [User, User]
  return [
    ...users.map((user) => coming(cast, user)),
    ...follows.map((follow) => following(cast, follow)),
    ...users.flatMap((user) => (user === first ? [] : lookingThrough(cast, random, user))),
    catchingUp(cast, first),
    ...users.flatMap((user) => suspension(cast, admin, user)),
  ]
}

function coming(cast: Cast, user: User): Act {
  const { at, bio, portrait } = user
  const run = async () => {
    const plaza = await cast.enter(user)
    const avatar_upload_id = portrait ? await cast.upload(user, portrait) : null
    await plaza.me.update({ bio, avatar_upload_id })
  }
  return { at, needs: [], makes: user, run }
}

function following(cast: Cast, { creator, follower, at }: Follow): Act {
  const run = () => cast.as(follower).creators.follow(creator.handle)
  return { at, needs: [creator, follower], run }
}

/** Marks a user's notifications as read some hours before their last visit. */
function lookingThrough(cast: Cast, random: Random, user: User): Act[] {
  const at = Math.floor(user.until - random.exponential(8 * HOUR))
  if (at <= user.at) return []
  return [{ at, needs: [user], run: () => cast.as(user).notifications.markAllRead() }]
}

/** Marks all but the last few notifications of the first user as read. */
function catchingUp(cast: Cast, first: User): Act {
  const run = async () => {
    const per_page = UNREAD_OF_THE_FIRST + 1
    const { notifications } = await cast.as(first).notifications.list({ per_page })
    const latest = notifications[UNREAD_OF_THE_FIRST]
    if (latest) await cast.as(first).notifications.markAllRead({ up_to: latest.id })
  }
  return { at: first.until, needs: [], isLast: true, run }
}

function suspension(cast: Cast, admin: User, user: User): Act[] {
  const { suspension: reason, until: at } = user
  if (reason === null) return []
  const run = () => cast.as(admin).users.update(user.id, { is_suspended: true, reason })
  return [{ at, needs: [], isLast: true, run }]
}
