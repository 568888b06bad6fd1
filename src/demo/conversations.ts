import { phrase, WORDS } from './phrase.ts'
import type { Random } from './random.ts'
import { DAY, HOUR, MINUTE, momentOf } from './times.ts'
import type { Conversation, Message, User } from './world.ts'

const CONVERSATIONS_PER_PERSON = 0.75
/** Number of conversations of the first user. */
const OF_THE_FIRST = 12
/**
 * In this many of the newest conversations the other user has the last word. Those at the indexes below are
 * unread.
 */
const NEWEST = 4
const UNREAD = [0, 1, 3]

/** Makes one-to-one conversations. The first user has some, partly unread. */
export function makeConversations(
  random: Random,
  users: User[],
  actor: () => User,
): Conversation[] {
  const [first] = users
  const pairs = new Map<string, Conversation>()
  const count = Math.round(users.length * CONVERSATIONS_PER_PERSON)
  for (let i = 0; i < count; i++) {
    const creator = actor()
    const peer = i < OF_THE_FIRST && first ? first : actor()
    const key = [creator.handle, peer.handle].sort().join(' ')
    if (creator === peer || pairs.has(key)) continue
    const conversation = makeConversation(random, creator, peer)
    if (conversation) pairs.set(key, conversation)
  }
  const conversations = [...pairs.values()].filter(
    // Keeps only those conversations of the first user in which the other user also writes.
    ({ creator, peer, messages }) =>
      (creator !== first && peer !== first) || messages.some(({ sender }) => sender !== first),
  )
  if (first) leaveUnread(conversations, first)
  return conversations
}

/**
 * Makes the newest conversations of the first user end with the other user, some of them unread, and marks
 * older ones as read.
 */
function leaveUnread(conversations: Conversation[], first: User): void {
  const own = conversations.filter(({ creator, peer }) => creator === first || peer === first)
  const answered = ({ messages }: Conversation) => messages.at(-1)?.sender === first
  const newest = () => own.toSorted((a, b) => lastOf(b) - lastOf(a))
  for (;;) {
    const one = newest().slice(0, NEWEST).find(answered)
    if (!one) break
    one.messages.splice(one.messages.findLastIndex(({ sender }) => sender !== first) + 1)
  }
  for (const [place, conversation] of newest().entries()) {
    const answer = conversation.messages.findLast(({ sender }) => sender === first)
    const isUnread = UNREAD.includes(place)
    const at = isUnread ? answer && answer.at - 1 : lastOf(conversation) + 1000
    conversation.readings = conversation.readings.filter(({ user }) => user !== first)
    if (at !== undefined && at < first.until) conversation.readings.push({ user: first, at })
  }
}

function lastOf({ messages }: Conversation): number {
  return messages.at(-1)?.at ?? 0
}

function makeConversation(random: Random, creator: User, peer: User): Conversation | undefined {
  const until = Math.min(creator.until, peer.until)
  // Most conversations start recently, so that lists show active ones first.
  const from = Math.max(creator.at, peer.at, until - Math.floor(random.exponential(15 * DAY)))
  const at = momentOf(random, creator, from, until)
  if (at === undefined) return undefined
  const conversation: Conversation = { id: '', at, creator, peer, messages: [], readings: [] }
  talk(random, conversation, until)
  for (const user of [creator, peer]) {
    const last = conversation.messages.findLast(({ sender }) => sender === user)
    const end = conversation.messages.at(-1)
    const hasReadAll = random.chance(0.7)
    const reading = hasReadAll ? end && end.at + 1000 : last && last.at - 1
    if (reading !== undefined && reading < user.until) {
      conversation.readings.push({ user, at: reading })
    }
  }
  return conversation
}

function talk(random: Random, conversation: Conversation, until: number): void {
  const { creator, peer, messages } = conversation
  const wanted = random.chance(0.04) ? 0 : 1 + Math.floor(random.exponential(7))
  let sender = creator
  let { at } = conversation
  for (let i = 0; i < wanted; i++) {
    at += Math.floor(random.exponential(random.chance(0.8) ? 4 * MINUTE : 9 * HOUR)) + 1000
    if (at >= until) return
    messages.push(newMessage(random, conversation, sender, at))
    if (random.chance(0.7)) sender = sender === creator ? peer : creator
  }
}

function newMessage(random: Random, conversation: Conversation, sender: User, at: number): Message {
  const { openings, messages } = WORDS[conversation.creator.tongue]
  const patterns = conversation.messages.length === 0 ? openings : messages
  const body = phrase(random, conversation.creator.tongue, patterns)
  return { at, conversation, sender, body }
}
