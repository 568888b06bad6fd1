/** Hand-written handlers on PostgreSQL: statements prepared once, a transaction for each write. */
import pg from 'pg'
import { newId } from '../src/db/ids.ts'
import {
  type CommentRow,
  type KeyHolder,
  type LockedWork,
  type Person,
  type Request,
  toCommentList,
  toFeed,
  toNewComment,
  toNewContent,
  toNewMessage,
  type WorkRow,
} from './minimal-records.ts'
import { SQL, type SqlName } from './minimal-sql.ts'

pg.types.setTypeParser(20, Number)
pg.types.setTypeParser(1700, Number)

type Runner = pg.Pool | pg.PoolClient
type Value = string | number

export function postgresHandlers(url: string) {
  const pool = new pg.Pool({ connectionString: url, max: 10 })

  const query = (on: Runner, name: SqlName, values: Value[]) =>
    on.query({ name, text: SQL[name], values })
  const rows = async <T>(on: Runner, name: SqlName, ...values: Value[]) =>
    (await query(on, name, values)).rows as T[]
  const row = async <T>(on: Runner, name: SqlName, ...values: Value[]) =>
    (await query(on, name, values)).rows[0] as T
  const run = async (on: Runner, name: SqlName, ...values: Value[]) =>
    (await query(on, name, values)).rowCount === 1
  const lock = (on: Runner, name: 'work' | 'peer', table: string, values: Value[]) =>
    on.query({ name: `lock ${name}`, text: `${SQL[name]} for update of ${table}`, values })

  async function write<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect()
    try {
      await client.query('begin')
      const result = await work(client)
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback')
      throw error
    } finally {
      client.release()
    }
  }

  async function feed(list: SqlName, total: SqlName, id: string, ...of: string[]) {
    const works = await rows<WorkRow>(pool, list, 20, id)
    return toFeed(works, (await row<{ total: number }>(pool, total, ...of)).total)
  }

  async function tell(
    client: pg.PoolClient,
    to: string,
    type: string,
    kind: string,
    actor: string,
    subject: string,
    title: string,
    link: string,
    now: number,
  ): Promise<void> {
    if (to === actor) return
    const id = newId('ntf', now)
    const params = JSON.stringify({ title })
    if (await run(client, 'notice', id, to, type, kind, actor, subject, params, link, now)) {
      await run(client, 'addNotice', to, id)
    }
  }

  return {
    viewer: (session: string, hash: string, now: number) =>
      row<Person | undefined>(pool, 'viewer', session, hash, now),

    keyHolder: (hash: string, now: number) =>
      row<KeyHolder | undefined>(pool, 'keyHolder', hash, now),

    unread: async ({ viewer }: Request) => ({
      unread_count: (await row<{ unread: number }>(pool, 'unread', (viewer as Person).id)).unread,
    }),

    async comments({ id }: Request) {
      type Total = { listed_comment_count: number }
      const { listed_comment_count } = await row<Total>(pool, 'commentTotal', id)
      return toCommentList(await rows<CommentRow>(pool, 'comments', id, 20), listed_comment_count)
    },

    likes({ viewer }: Request) {
      const { id } = viewer as Person
      return feed('liked', 'likedTotal', id, id)
    },

    feeds({ viewer, sort }: Request) {
      const { id } = viewer as Person
      return sort === 'following'
        ? feed('following', 'followingTotal', id, id)
        : feed('home', 'homeTotal', id)
    },

    like: ({ viewer, id, now }: Request) =>
      write(async (client) => {
        const me = (viewer as Person).id
        const work: LockedWork = (await lock(client, 'work', 's', [id])).rows[0]
        const { creator_id, like_count, title } = work
        const is_liked = await run(client, 'like', id, me, now)
        if (is_liked) {
          await run(client, 'addLike', id, 1)
          const link = `/contents/${id}`
          await tell(client, creator_id, 'like', 'like.content', me, id, title, link, now)
        } else {
          await run(client, 'unlike', id, me)
          await run(client, 'addLike', id, -1)
          if (await run(client, 'withdraw', creator_id, me, id)) {
            await run(client, 'takeNotice', creator_id)
          }
        }
        return { is_liked, like_count: like_count + (is_liked ? 1 : -1) }
      }),

    comment: (request: Request) =>
      write(async (client) => {
        const { id, body, now } = request
        const me = request.viewer as Person
        const { creator_id, title }: LockedWork = (await lock(client, 'work', 's', [id])).rows[0]
        const made = newId('cmt', now)
        const link = `/contents/${id}#${made}`
        await run(client, 'comment', made, id, me.id, body, now)
        await run(client, 'addComment', id, made)
        await tell(client, creator_id, 'comment', 'comment.content', me.id, made, title, link, now)
        return toNewComment(made, me, request)
      }),

    message: (request: Request) =>
      write(async (client) => {
        const { id, body, now } = request
        const me = request.viewer as Person
        const { rows: peers } = await lock(client, 'peer', 'm', [id, me.id])
        if (peers[0]?.is_suspended !== 0) throw new Error('no such conversation')
        const made = newId('msg', now)
        await run(client, 'message', made, id, me.id, body, now)
        await run(client, 'addMessage', id, made, now)
        await run(client, 'addToMembers', id, me.id, now)
        return toNewMessage(made, me, request)
      }),

    content: (request: Request) =>
      write(async (client) => {
        const { work, now } = request
        const { category, type, title, description } = work
        const me = request.viewer as Person
        const id = newId('cnt', now)
        const tags = JSON.stringify(work.tags)
        await run(client, 'content', id, me.id, category, type, title, description, tags, now)
        await run(client, 'contentStats', id, me.id, category, now)
        for (const tag of work.tags) await run(client, 'contentTag', tag, id, now)
        await run(client, 'addContent', me.id)
        await run(client, 'addToCategory', category)
        return toNewContent(id, me, request)
      }),
  }
}
