import { newId, type Prefix } from '../db/ids.ts'
import { makeComments } from './comments.ts'
import { makeConversations } from './conversations.ts'
import { makeFollows, makeMarks, makePlays } from './marks.ts'
import { giveMedia } from './media.ts'
import { makeInboxes, makeNotices } from './notices.ts'
import { makePeople } from './people.ts'
import { makePosts } from './posts.ts'
import { seeded, weighted } from './random.ts'
import type { Stock } from './stock.ts'
import { makeWorks } from './works.ts'
import type { Entity, Person, Verdict, World } from './world.ts'

/** Any number: the same gives the same people and texts. */
const SEED = 20_260_301
/** Of what was added later, so that the rest stays as it was. */
const MEDIA_SEED = 20_260_303

/**
 * A community as of `now` with all its counts, whose works and people show files of the stock; the
 * same for the same numbers, but for the ids.
 */
export function makeWorld(
  size: { people: number; works: number },
  stock: Stock,
  now: number,
): World {
  const forMedia = seeded(MEDIA_SEED)
  const random = seeded(SEED)
  const people = makePeople(random, now, size.people)
  const works = makeWorks(random, now, people, size.works)
  const uploads = giveMedia(forMedia, { people, works, stock })
  for (const { creator, category, is_public } of works) {
    if (!is_public) continue
    creator.counts.content_count++
    creator.counts[`${category}_count`]++
  }
  const actor = weighted(random, people, ({ activity }) => activity)
  const marks = makeMarks(random, works, actor)
  const plays = makePlays(
    forMedia,
    works,
    weighted(forMedia, people, ({ activity }) => activity),
  )
  const follows = makeFollows(random, now, people)
  const said = makeComments(random, works, actor)
  const { posts, likes: postLikes } = makePosts(random, now, people, actor)
  const conversations = makeConversations(random, people, actor)
  const notices = makeNotices({ ...marks, follows, said, posts, postLikes })
  const world = {
    stock,
    people,
    uploads,
    works,
    ...marks,
    plays,
    follows,
    comments: said.map(({ comment }) => comment),
    posts,
    postLikes,
    conversations,
    messages: conversations.flatMap(({ messages }) => messages),
    notices,
    inboxes: makeInboxes(random, people, notices),
    verdicts: makeVerdicts(people),
  }
  nameAll(world)
  return world
}

function makeVerdicts(people: Person[]): Verdict[] {
  const admin = people.find(({ role }) => role === 'admin')
  if (!admin) return []
  return people
    .filter(({ suspension }) => suspension !== null)
    .map((target) => ({ id: '', at: target.until, actor: admin, target }))
}

/** Gives everything its id, in the order of time, which is the order of ids. */
function nameAll(world: World): void {
  const named: [Prefix, Entity[]][] = [
    ['usr', world.people],
    ['upl', world.uploads],
    ['cnt', world.works],
    ['ply', world.plays],
    ['cmt', world.comments],
    ['pst', world.posts],
    ['cnv', world.conversations],
    ['msg', world.messages],
    ['ntf', world.notices],
    ['aud', world.verdicts],
  ]
  const all = named.flatMap(([prefix, list]) => list.map((entity) => ({ prefix, entity })))
  all.sort((a, b) => a.entity.at - b.entity.at)
  for (const { prefix, entity } of all) entity.id = newId(prefix, entity.at)
}
