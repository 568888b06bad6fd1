import { phrase, WORDS } from './phrase.ts'
import type { Random } from './random.ts'
import { DAY, HOUR, MINUTE, momentOf } from './times.ts'
import type { Conversation, Message, Person } from './world.ts'

const CONVERSATIONS_PER_PERSON = 0.75
/** Conversations that the first person has. */
const OF_THE_FIRST = 12

/** One-to-one conversations; the first person has some, with messages still unread. */
export function makeConversations(
  random: Random,
  people: Person[],
  actor: () => Person,
): Conversation[] {
  const [first] = people
  const pairs = new Map<string, Conversation>()
  const count = Math.round(people.length * CONVERSATIONS_PER_PERSON)
  for (let i = 0; i < count; i++) {
    const creator = actor()
    const peer = i < OF_THE_FIRST && first ? first : actor()
    const key = [creator.handle, peer.handle].sort().join(' ')
    if (creator === peer || pairs.has(key)) continue
    const conversation = makeConversation(random, { creator, peer, first })
    if (conversation) pairs.set(key, conversation)
  }
  return [...pairs.values()]
}

function makeConversation(
  random: Random,
  { creator, peer, first }: { creator: Person; peer: Person; first: Person | undefined },
): Conversation | undefined {
  const until = Math.min(creator.until, peer.until)
  // Lately, mostly: conversations that run on are those people see first.
  const from = Math.max(creator.at, peer.at, until - Math.floor(random.exponential(15 * DAY)))
  const at = momentOf(random, creator, from, until)
  if (at === undefined) return undefined
  const conversation: Conversation = { id: '', at, creator, peer, messages: [], readings: [] }
  talk(random, conversation, until)
  for (const person of [creator, peer]) {
    const last = conversation.messages.findLast(({ sender }) => sender === person)
    const end = conversation.messages.at(-1)
    const hasReadAll = random.chance(person === first ? 0.4 : 0.7)
    const reading = hasReadAll ? end && end.at + 1000 : last && last.at - 1
    if (reading !== undefined && reading < person.until) {
      conversation.readings.push({ person, at: reading })
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

function newMessage(
  random: Random,
  conversation: Conversation,
  sender: Person,
  at: number,
): Message {
  const { openings, messages } = WORDS[conversation.creator.tongue]
  const patterns = conversation.messages.length === 0 ? openings : messages
  const body = phrase(random, conversation.creator.tongue, patterns)
  return { at, conversation, sender, body }
}
