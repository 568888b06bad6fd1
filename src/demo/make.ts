import { makeContents } from './contents.ts'
import { makeConversations } from './conversations.ts'
import { addLatest } from './latest.ts'
import * as interactions from './interactions.ts'
import { giveMedia } from './media.ts'
import { seeded, weighted } from './random.ts'
import { makeComments, makePosts } from './remarks.ts'
import type { Stock } from './stock.ts'
import { makeUsers } from './users.ts'
import type { World } from './world.ts'

const SEED = 20_260_301
/** Seed of the media, separate so that a machine without ffmpeg generates the same users. */
const MEDIA_SEED = 20_260_303

export interface Size {
  users: number
  contents: number
}

/** Generates users, contents and activity until `now`. Equal arguments return equal results. */
export function makeWorld(size: Size, stock: Stock, now: number): World {
  const forMedia = seeded(MEDIA_SEED)
  const random = seeded(SEED)
  const users = makeUsers(random, now, size.users)
  const counts = { contents: size.contents, premieres: stock.videos.length }
  const { contents, premieres } = makeContents(random, now, users, counts)
  giveMedia(forMedia, stock, { users, contents, premieres })
  const actor = weighted(random, users, ({ activity }) => activity)
  const player = weighted(forMedia, users, ({ activity }) => activity)
  const likes = interactions.makeLikes(random, contents, actor)
  const posts = makePosts(random, now, users, actor)
  const world = {
    users,
    premieres,
    contents,
    likes,
    bookmarks: interactions.makeBookmarks(random, likes),
    visits: interactions.makeVisits(random, contents),
    plays: interactions.makePlays(forMedia, contents, player),
    follows: interactions.makeFollows(random, now, users, actor),
    comments: makeComments(random, contents, actor),
    posts,
    postLikes: interactions.makePostLikes(random, posts, now, actor),
  }
  addLatest(random, world)
  return { ...world, conversations: makeConversations(random, users, actor) }
}
