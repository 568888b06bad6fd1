import { phrase, WORDS } from './phrase.ts'
import type { Random } from './random.ts'
import { DAY, HOUR, MINUTE, momentOf } from './times.ts'
import type { Conversation, User } from './world.ts'

const CONVERSATIONS_PER_USER = 0.75
const OF_THE_FIRST = 12
const TRIES_MAX = 100
const UNREAD = [0, 1, 3]

export function makeConversations(random: Random, users: User[], actor: () => User) {
  const [first] = users as [User]
  const pairs = new Map<string, Conversation>()
  const isOfFirst = ({ creator, peer }: Conversation) => creator === first || peer === first
  const wanted = users.length * CONVERSATIONS_PER_USER
  // Tries up to TRIES_MAX times until a first conversation exists, because in a small demo many tries create none.
  for (let i = 0; i < (pairs.size > 0 ? wanted : TRIES_MAX); i++) {
    const creator = actor()
    const peer = i < OF_THE_FIRST ? first : actor()
    const key = [creator.handle, peer.handle].sort().join(' ')
    if (creator === peer || pairs.has(key)) continue
    const conversation = makeConversation(random, creator, peer)
    // Skips conversations of the first user in which the other user never writes.
    const isKept =
      conversation &&
      (!isOfFirst(conversation) || conversation.messages.some(({ sender }) => sender !== first))
    if (isKept) pairs.set(key, conversation)
  }
  const conversations = [...pairs.values()]
  leaveUnread(conversations.filter(isOfFirst), first)
  return conversations
}

/**
 * Shortens conversations of the first user, so that each ends with a message from the other user, and leaves some
 * unread.
 */
function leaveUnread(own: Conversation[], first: User): void {
  for (const { messages } of own) {
    messages.splice(messages.findLastIndex(({ sender }) => sender !== first) + 1)
  }
  for (const [index, conversation] of own.sort((a, b) => lastOf(b) - lastOf(a)).entries()) {
    const answer = conversation.messages.findLast(({ sender }) => sender === first)
    const read = UNREAD.includes(index) ? answer?.time : lastOf(conversation)
    conversation.readings = conversation.readings.filter(({ user }) => user !== first)
    if (read !== undefined) conversation.readings.push({ user: first, time: read + 1 })
  }
}

function lastOf({ messages }: Conversation): number {
  return messages.at(-1)?.time ?? 0
}

function makeConversation(random: Random, creator: User, peer: User): Conversation | undefined {
  const until = Math.min(creator.until, peer.until)
  // Most conversations start near the end, so that the lists contain recent messages.
  const from = Math.max(
    creator.created_at,
    peer.created_at,
    until - Math.floor(random.exponential(15 * DAY)),
  )
  const start = momentOf(random, creator, from, until)
  if (start === undefined) return undefined
  const { openings, messages: patterns } = WORDS[creator.tongue]
  const messages: Conversation['messages'] = []
  const wanted = random.chance(0.04) ? 0 : 1 + Math.floor(random.exponential(7))
  let [time, sender] = [start, creator]
  for (let i = 0; i < wanted; i++) {
    time += Math.floor(random.exponential(random.chance(0.8) ? 4 * MINUTE : 9 * HOUR)) + 1000
    if (time >= until) break
    const body = phrase(random, creator.tongue, i === 0 ? openings : patterns)
    messages.push({ time, sender, body })
    if (random.chance(0.7)) sender = sender === creator ? peer : creator
  }
  const end = messages.at(-1)?.time ?? 0
  const readings = [creator, peer]
    .filter((user) => end > 0 && end + 1000 < user.until && random.chance(0.7))
    .map((user) => ({ user, time: end + 1000 }))
  return { id: '', created_at: start, creator, peer, messages, readings }
}
