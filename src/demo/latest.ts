/** What the first person comes back to: not likes alone, which outnumber all else. */
import { phrase, WORDS } from './phrase.ts'
import type { Random } from './random.ts'
import { newBranch } from './threads.ts'
import { HOUR, MINUTE } from './times.ts'
import type { Comment, Follow, Person, Post, Work } from './world.ts'

type Kind = 'comment' | 'reply' | 'follow' | 'mention' | 'answer'

/** What somebody does to the first person, so many minutes before the end. */
const PLAN: readonly (readonly [number, Kind])[] = [
  [7, 'comment'],
  [19, 'follow'],
  [34, 'reply'],
  [58, 'mention'],
  [83, 'follow'],
  [121, 'comment'],
  [164, 'answer'],
]
/** Who acts is one of so many who are there last. */
const LATE = 16

/** Of a community so far. */
interface Told {
  people: Person[]
  works: Work[]
  comments: Comment[]
  posts: Post[]
  follows: Follow[]
}

/** Adds to comments, posts and follows. */
export function addLatest(random: Random, told: Told): void {
  const { people, works, comments, posts, follows } = told
  const [first] = people as [Person]
  const late = findLate(people, first, first.until - 3 * HOUR)
  const others = new Set(late)
  for (const { creator, follower } of follows) if (creator === first) others.delete(follower)
  const shown = works.filter((work) => work.creator === first && isShown(work))
  const said = comments.filter((one) => isStill(one, first) && isShown(one.work))
  const posted = posts.filter((one) => isStill(one, first))

  for (const [minutes, kind] of PLAN) {
    const [follower] = others
    const person = kind === 'follow' ? follower : random.pick(late)
    if (!person) continue
    const at = Math.min(first.until - minutes * MINUTE, person.until - 1000)
    if (kind === 'follow') {
      others.delete(person)
      follows.push({ creator: first, follower: person, at })
    } else if (kind === 'comment' || kind === 'reply') {
      const parent = kind === 'reply' ? said.findLast((one) => one.at < at) : undefined
      const work = parent?.work ?? newestOf(shown, at)
      const body = say(random, person, parent ? 'answers' : 'comments')
      const branch = newBranch<Comment>(person, body, { parent, at })
      if (work) comments.push({ ...branch, work, edit: undefined })
    } else {
      const parent = kind === 'answer' ? posted.findLast((one) => one.at < at) : undefined
      const body = say(random, person, parent ? 'postReplies' : 'posts')
      const named = parent ? body : `@${first.handle} ${body}`
      posts.push(newBranch<Post>(person, named, { parent, at }))
    }
  }
}

/** Those who are there last, and were there before a time. */
function findLate(people: Person[], first: Person, before: number): Person[] {
  return people
    .filter((one) => one !== first && !one.isAdmin && one.suspension === null && one.at < before)
    .toSorted((a, b) => b.until - a.until)
    .slice(0, LATE)
}

function isShown({ published_at, archived_at }: Work): boolean {
  return published_at !== null && archived_at === null
}

function isStill({ author, deleted_at }: Comment | Post, of: Person): boolean {
  return author === of && deleted_at === null
}

function newestOf(works: Work[], at: number): Work | undefined {
  const timeOf = ({ published_at }: Work) => published_at ?? at
  return works.filter((work) => timeOf(work) < at).sort((a, b) => timeOf(b) - timeOf(a))[0]
}

function say(
  random: Random,
  { tongue }: Person,
  of: 'comments' | 'answers' | 'posts' | 'postReplies',
): string {
  return phrase(random, tongue, WORDS[tongue][of])
}
