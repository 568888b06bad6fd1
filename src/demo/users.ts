import { phrase, pickName, type Tongue, WORDS } from './phrase.ts'
import { longTail, type Random } from './random.ts'
import { DAY, HOUR, PAST } from './times.ts'
import type { User } from './world.ts'

const REASONS = [
  '스팸 광고를 반복해서 올림',
  '다른 사람의 작품을 자기 것으로 올림',
  'Harassment in comments',
  'Repeated spam',
]
/** Indexes of users who are suspended in every demo, so that even a small demo has suspended users. */
const BAD = [22, 35]

/** Generates users. The first two are the named accounts `demo` and `demo_admin`. */
export function makeUsers(random: Random, now: number, count: number): User[] {
  const fame = longTail(count, count)
  const users = [namedUser('demo', '데모 크리에이터', now, fame[0] ?? 1), adminOf(now)]
  const taken = new Set(users.map(({ handle }) => handle))
  for (const share of fame.slice(2)) users.push(makeUser(random, now, share, taken))
  return users
}

/** Returns the admin `demo_admin`, whose account the operator creates before all others. */
export function adminOf(now: number): User {
  return { ...namedUser('demo_admin', '데모 관리자', now, 0), isAdmin: true }
}

function namedUser(handle: string, display_name: string, now: number, fame: number): User {
  return {
    id: '',
    created_at: now - PAST,
    tongue: 'ko',
    handle,
    email: `${handle}@example.com`,
    display_name,
    bio: '둘러보기를 위한 계정입니다. A made-up account to look around with.',
    isAdmin: false,
    until: now - 1,
    suspension: null,
    activity: 8,
    fame,
  }
}

function makeUser(random: Random, now: number, fame: number, taken: Set<string>): User {
  const tongue: Tongue = random.chance(0.6) ? 'ko' : 'en'
  const [display_name, wanted] = makeName(random, tongue)
  const isSuspended = random.chance(0.012) || BAD.includes(taken.size)
  let handle = wanted
  while (taken.has(handle)) handle = `${wanted}${random.integer(2, 99_999)}`
  taken.add(handle)
  const created_at = Math.floor(now - 2 * HOUR - (PAST - 2 * HOUR) * random.next() ** 0.5)
  // Most users stay active until the end. A quarter stops visiting earlier.
  const leaves = random.chance(0.25)
    ? (now - created_at) * random.next()
    : random.exponential(10 * HOUR)
  const until = Math.floor(now - (isSuspended ? random.integer(HOUR, 20 * DAY) : leaves))
  return {
    ...namedUser(handle, display_name, now, random.chance(0.4) ? fame : 0),
    created_at,
    tongue,
    bio: random.chance(0.7) ? phrase(random, tongue, WORDS[tongue].bios) : null,
    until: Math.min(Math.max(until, created_at + HOUR), now - 1),
    suspension: isSuspended ? random.pick(REASONS) : null,
    activity: random.exponential(1) + 0.05,
  }
}

function makeName(random: Random, tongue: Tongue): [display: string, handle: string] {
  const words = WORDS[tongue]
  if (random.chance(0.3)) {
    const quality = pickName(random, words.qualities)
    const being = pickName(random, words.beings)
    return [`${quality[0]} ${being[0]}`, `${quality[1]}_${being[1]}`]
  }
  const [given, first] = pickName(random, words.given)
  const [family, last] = pickName(random, words.family)
  const display = words.fullName.replace('{family}', family).replace('{given}', given)
  const handles = [`${first}_${last}`, `${last}${first}`, first + random.integer(80, 99)]
  return [display, random.pick(handles)]
}
