/** Acts around accounts: registration, follows, reading notifications, and suspension. */
import type { Cast } from '../cast.ts'
import type { Act } from '../play.ts'
import type { Random } from '../random.ts'
import { HOUR } from '../times.ts'
import type { Follow, Person, World } from '../world.ts'

/** Number of notifications that the first user leaves unread. */
const UNREAD_OF_THE_FIRST = 12

export function peopleActs(cast: Cast, random: Random, { people, follows }: World): Act[] {
  const [first, admin] = people as [Person, Person]
  return [
    ...people.map((person) => coming(cast, person)),
    ...follows.map((follow) => following(cast, follow)),
    ...people.flatMap((person) => (person === first ? [] : lookingThrough(cast, random, person))),
    catchingUp(cast, first),
    ...people.flatMap((person) => suspension(cast, admin, person)),
  ]
}

function coming(cast: Cast, person: Person): Act {
  const { at, bio, portrait } = person
  const run = async () => {
    const plaza = await cast.enter(person)
    const avatar_upload_id = portrait ? await cast.upload(person, portrait) : null
    await plaza.updateMe({ bio, avatar_upload_id })
  }
  return { at, needs: [], makes: person, run }
}

function following(cast: Cast, { creator, follower, at }: Follow): Act {
  const run = () => cast.as(follower).setFollow({ handle: creator.handle })
  return { at, needs: [creator, follower], run }
}

/** Marks a user's notifications as read some hours before their last visit. */
function lookingThrough(cast: Cast, random: Random, person: Person): Act[] {
  const at = Math.floor(person.until - random.exponential(8 * HOUR))
  if (at <= person.at) return []
  return [{ at, needs: [person], run: () => cast.as(person).readAllNotifications() }]
}

/** Marks all but the last few notifications of the first user as read. */
function catchingUp(cast: Cast, first: Person): Act {
  const run = async () => {
    const per_page = UNREAD_OF_THE_FIRST + 1
    const { notifications } = await cast.as(first).listNotifications({ per_page })
    const latest = notifications[UNREAD_OF_THE_FIRST]
    if (latest) await cast.as(first).readAllNotifications({ up_to: latest.id })
  }
  return { at: first.until, needs: [], isLast: true, run }
}

function suspension(cast: Cast, admin: Person, person: Person): Act[] {
  const { suspension: reason, until: at } = person
  if (reason === null) return []
  const run = () => cast.as(admin).updateUser({ id: person.id, is_suspended: true, reason })
  return [{ at, needs: [], isLast: true, run }]
}
