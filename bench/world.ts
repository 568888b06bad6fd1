import { addUser, newUser } from '../src/auth/rules.ts'
import { createComment } from '../src/comments/rules.ts'
import { createContent } from '../src/contents/rules.ts'
import type { Db, Tx } from '../src/db/handle.ts'
import { migrate } from '../src/db/migrate.ts'
import { createKey } from '../src/devconsole/keys.ts'
import { createApp } from '../src/devconsole/rules.ts'
import { sendMessage } from '../src/dm/message-rules.ts'
import { createConversation } from '../src/dm/rules.ts'
import { followCreator } from '../src/follows/rules.ts'
import type { SessionHolder } from '../src/http/auth.ts'
import { likeContent } from '../src/likes/rules.ts'
import { createPost } from '../src/posts/rules.ts'
import { openSession } from '../src/sessions/rules.ts'

const USERS = 2000
const CONTENTS = 6000
const COMMENTS = 2000
const VIEWERS = 64
const FOLLOWS = 60
const LIKES = 100
const MESSAGES = 30
/** Users per viewer who follow the viewer and have a conversation of one message with the viewer. */
const FRIENDS = 24
const POSTS = 1000
/** Contents per viewer that the viewer likes and comments on during the measurement. */
const TARGETS = 50
/** Rows per transaction. */
const BATCH = 500

export interface Viewer {
  token: string
  apiKey: string
  conversation: string
  contents: string[]
  made: string[]
  /** Handles of users that the viewer does not follow. */
  strangers: string[]
}

export interface World {
  viewers: Viewer[]
  discussed: string
}

/** Fills an empty database through Plaza's own rules, so that every stored count equals the number of its rows. */
export async function makeWorld(db: Db, tokenSecret: string): Promise<World> {
  await migrate(db, () => Date.now())
  let now = Date.now() - 30 * 24 * 60 * 60 * 1000
  const times = async <T>(n: number, act: (tx: Tx, i: number, now: number) => Promise<T>) => {
    const made: T[] = []
    while (made.length < n) {
      await db.transaction(async (tx) => {
        for (const end = Math.min(made.length + BATCH, n); made.length < end; ) {
          made.push(await act(tx, made.length, (now += 1000)))
        }
      })
    }
    return made
  }

  const users = await times(USERS, makeUser)
  const user = (i: number) => users[i % USERS] as SessionHolder
  // The factors of `i` below are coprime to the lengths of the lists, so that consecutive numbers select different
  // entries.
  const contents = await times(CONTENTS, async (tx, i, time) => {
    const { content } = await createContent(tx, user(i * 7), newContent(i), {
      now: time,
      converts: false,
    })
    return content.id
  })
  const action = (i: number) => contents[(i * 11) % CONTENTS] as string
  const discussed = action(0)
  await times(COMMENTS, (tx, i, time) =>
    createComment(tx, user(i * 13), discussed, { body: `${i}번째 감상: ${SENTENCE}` }, time),
  )
  await times(VIEWERS * FOLLOWS, (tx, i, time) => {
    const viewer = i % VIEWERS
    const { handle } = user(viewer + 1 + 31 * Math.floor(i / VIEWERS))
    return followCreator(tx, user(viewer), { handle }, 'set', time)
  })
  await times(VIEWERS * LIKES, (tx, i, time) =>
    likeContent(tx, user(i % VIEWERS), action(i + 1), 'set', time),
  )
  const conversations = await times(VIEWERS, async (tx, i, time) => {
    const { id } = await createConversation(tx, user(i), { user_id: user(i + VIEWERS).id }, time)
    return id
  })
  await times(VIEWERS * MESSAGES, (tx, i, time) => {
    const conversation = conversations[i % VIEWERS] as string
    const sender = user((i % VIEWERS) + (Math.floor(i / VIEWERS) % 2) * VIEWERS)
    return sendMessage(tx, sender, conversation, { body: SENTENCE }, time)
  })
  const friend = (i: number) => user(500 + i)
  await times(VIEWERS * FRIENDS, async (tx, i, time) => {
    const viewer = user(i % VIEWERS)
    await followCreator(tx, friend(i), { handle: viewer.handle }, 'set', time)
    const { id } = await createConversation(tx, friend(i), { user_id: viewer.id }, time)
    return sendMessage(tx, friend(i), id, { body: SENTENCE }, time)
  })
  await times(POSTS, (tx, i, time) =>
    createPost(tx, user(i * 17), `${i}번째 글: ${SENTENCE}`, time),
  )
  const settings = { tokenSecret, accessTokenTtl: 86_400, refreshTokenTtl: 86_400 }
  const client = { ip: '127.0.0.1', userAgent: 'bench' }
  const viewers = await times(VIEWERS, async (tx, i) => {
    const tokens = await openSession(tx, settings, user(i).id, client, Date.now())
    const targets = Array.from({ length: TARGETS }, (_, n) =>
      action(CONTENTS - 1 - i * TARGETS - n),
    )
    const conversation = conversations[i] as string
    const apiKey = await makeKey(tx, user(i))
    return {
      token: tokens.access_token,
      apiKey,
      conversation,
      contents: targets,
      made: contents.filter((_, n) => user(n * 7) === user(i)),
      strangers: Array.from({ length: TARGETS }, (_, n) => user(i + 64 + 31 * n + 1).handle),
    }
  })
  return { viewers, discussed }
}

const SENTENCE = '밤의 강을 따라 걷는 장면이 오래 남습니다. The river at night stays with me.'

async function makeUser(tx: Tx, i: number, now: number): Promise<SessionHolder> {
  const handle = `person_${i}`
  const email = `${handle}@example.test`
  const display_name = `사람 ${i}`
  const user = newUser({ handle, email, display_name, password_hash: '', role: 'user' }, now)
  await addUser(tx, user)
  return {
    id: user.id,
    handle,
    role: 'user',
    tier: 'regular',
    permissions: [],
    isVerified: true,
    sessionId: '',
    key: null,
  }
}

async function makeKey(tx: Tx, owner: SessionHolder): Promise<string> {
  const app = { app_name: 'Bench', app_type: 'server', scopes: ['contents:write'] } as const
  const { id } = await createApp(tx, owner, { ...app, scopes: [...app.scopes] }, Date.now())
  const key = { key_name: 'Bench', environment: 'live' } as const
  return (await createKey(tx, owner, id, key, Date.now())).raw_key
}

function newContent(i: number) {
  const kinds = [
    { category: 'hype', type: 'video' },
    { category: 'hype', type: 'article' },
    { category: 'swipe', type: 'video' },
    { category: 'jump', type: 'game' },
  ] as const
  const tags = [`tag${i % 10}`, `tag${i % 100}`, '한강']
  const kind = kinds[i % kinds.length] as (typeof kinds)[number]
  return { ...kind, title: `작품 ${i}: a work`, description: `${SENTENCE} `.repeat(3), tags }
}
