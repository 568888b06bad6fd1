import { phrase, type Tongue, WORDS } from './phrase.ts'
import { longTail, type Random } from './random.ts'
import { DAY, HOUR, PAST } from './times.ts'
import type { User } from './world.ts'

const REASONS = [
  '스팸 광고를 반복해서 올림',
  '다른 사람의 작품을 자기 것으로 올림',
  'Harassment in comments',
  'Repeated spam',
]

/** Indexes of users who are always suspended, even in a small demo. */
const BAD = [20, 33]

/** Makes the users. The first two are the named accounts `demo` and `demo_admin`. */
export function makeUsers(random: Random, now: number, count: number): User[] {
  const taken = new Set(['demo', 'demo_admin'])
  const fame = longTail(count, count)
  const known = [namedUser('demo', '데모 크리에이터', now, fame[0] ?? 1), adminOf(now)]
  const rest = Array.from({ length: Math.max(0, count - known.length) }, (_, i) =>
    makeUser(random, now, { fame: fame[i + 1] ?? 0, taken, isBad: BAD.includes(i) }),
  )
  return [...known, ...rest]
}

/** Returns the administrator, whose account the operator creates before all others. */
export function adminOf(now: number): User {
  return { ...namedUser('demo_admin', '데모 관리자', now, 0), isAdmin: true }
}

function namedUser(handle: string, display_name: string, now: number, fame: number): User {
  return {
    ...blank(handle),
    at: now - PAST,
    tongue: 'ko',
    display_name,
    bio: '둘러보기를 위한 계정입니다. A made-up account to look around with.',
    until: now - 1,
    activity: 8,
    fame,
  }
}

function blank(handle: string) {
  return {
    id: '',
    handle,
    email: `${handle}@example.com`,
    isAdmin: false,
    suspension: null,
    portrait: undefined,
  }
}

function makeUser(
  random: Random,
  now: number,
  { fame, taken, isBad }: { fame: number; taken: Set<string>; isBad: boolean },
): User {
  const tongue: Tongue = random.chance(0.6) ? 'ko' : 'en'
  const name = makeName(random, tongue)
  const handle = freeHandle(random, name.handle, taken)
  const at = Math.floor(now - 2 * HOUR - (PAST - 2 * HOUR) * random.next() ** 0.5)
  const suspended = random.chance(0.012) || isBad
  return {
    ...blank(handle),
    at,
    tongue,
    display_name: name.display,
    bio: random.chance(0.7) ? phrase(random, tongue, WORDS[tongue].bios) : null,
    until: suspended
      ? Math.max(at + HOUR, now - random.integer(HOUR, 20 * DAY))
      : lastVisit(random, at, now),
    suspension: suspended ? random.pick(REASONS) : null,
    activity: random.exponential(1) + 0.05,
    fame: random.chance(0.4) ? fame : 0,
  }
}

/** Returns the time of the last visit. Most users visit often, some stay away after a while. */
function lastVisit(random: Random, at: number, now: number): number {
  const latest = random.chance(0.25)
    ? at + Math.floor((now - at) * random.next())
    : Math.floor(now - random.exponential(10 * HOUR))
  return Math.min(Math.max(latest, at + HOUR), now - 1)
}

function makeName(random: Random, tongue: Tongue): { display: string; handle: string } {
  const words = WORDS[tongue]
  if (random.chance(0.3)) {
    const quality = random.pick(words.qualities)
    const being = random.pick(words.beings)
    return { display: `${quality[0]} ${being[0]}`, handle: `${quality[1]}_${being[1]}` }
  }
  const given = random.pick(words.given)
  const family = random.pick(words.family)
  const handles = [
    `${given[1]}_${family[1]}`,
    `${family[1]}${given[1]}`,
    `${given[1]}${random.integer(80, 99)}`,
  ]
  return { display: words.fullName(family[0], given[0]), handle: random.pick(handles) }
}

function freeHandle(random: Random, wanted: string, taken: Set<string>): string {
  let handle = wanted
  while (taken.has(handle)) handle = `${wanted}${random.integer(2, 99_999)}`
  taken.add(handle)
  return handle
}
