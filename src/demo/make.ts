import { makeComments } from './comments.ts'
import { makeConversations } from './conversations.ts'
import { addLatest } from './latest.ts'
import { makeFollows, makeMarks, makePlays } from './marks.ts'
import { giveMedia } from './media.ts'
import { makeUsers } from './users.ts'
import { makePosts } from './posts.ts'
import { seeded, weighted } from './random.ts'
import type { Stock } from './stock.ts'
import { makeContents } from './contents.ts'
import type { World } from './world.ts'

/** Any number. The same seed makes the same users and texts. */
const SEED = 20_260_301
/** Separate seed for media, so that a machine without ffmpeg makes the same users. */
const MEDIA_SEED = 20_260_303

export interface Size {
  users: number
  contents: number
}

/** Generates all activity until `now`, with files of the stock. Equal arguments give equal results. */
export function makeWorld(size: Size, stock: Stock, now: number): World {
  const forMedia = seeded(MEDIA_SEED)
  const random = seeded(SEED)
  const users = makeUsers(random, now, size.users)
  const counts = { contents: size.contents, premieres: stock.videos.length }
  const { contents, premieres } = makeContents(random, now, users, counts)
  giveMedia(forMedia, { users, works: contents, premieres, stock })
  const actor = weighted(random, users, ({ activity }) => activity)
  const marks = makeMarks(random, contents, actor)
  const players = weighted(forMedia, users, ({ activity }) => activity)
  const plays = makePlays(forMedia, contents, players)
  const follows = makeFollows(random, now, users)
  const comments = makeComments(random, contents, actor)
  const timeline = makePosts(random, now, users, actor)
  addLatest(random, {
    users,
    contents,
    comments,
    follows,
    likes: marks.likes,
    posts: timeline.posts,
  })
  const conversations = makeConversations(random, users, actor)
  const messages = conversations.flatMap((conversation) => conversation.messages)
  const said = { comments, ...timeline, conversations, messages }
  return { users, contents, premieres, ...marks, plays, follows, ...said }
}
