/** Hand-written handlers on SQLite: one connection, every write a commit of its own. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
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

export function sqliteHandlers(file: string) {
  const db = new DatabaseSync(file)
  db.exec(
    'pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma temp_store = memory; pragma cache_size = -65536; pragma mmap_size = 1073741824',
  )
  const q = Object.fromEntries(
    Object.entries(SQL).map(([name, text]) => [name, db.prepare(text.replaceAll('$', '?'))]),
  ) as Record<SqlName, StatementSync>
  const begin = db.prepare('begin immediate')
  const commit = db.prepare('commit')
  const rollback = db.prepare('rollback')

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  const row = <T>(name: SqlName, ...values: SQLInputValue[]) => q[name].get(...values) as T
  const rows = <T>(name: SqlName, ...values: SQLInputValue[]) => q[name].all(...values) as T[]
  const run = (name: SqlName, ...values: SQLInputValue[]) => q[name].run(...values).changes === 1
  const total = (name: SqlName, id: string) => row<{ total: number }>(name, id).total

  function write<T>(work: () => T): T {
    begin.run()
    try {
      const result = work()
      commit.run()
      return result
    } catch (error) {
      rollback.run()
      throw error
    }
  }

  function tell(
    to: string,
    type: string,
    kind: string,
    actor: string,
    subject: string,
    title: string,
    link: string,
    now: number,
  ): void {
    if (to === actor) return
    const id = newId('ntf', now)
    const params = JSON.stringify({ title })
    if (run('notice', id, to, type, kind, actor, subject, params, link, now)) {
      run('addNotice', to, id)
    }
  }

  return {
    viewer: (session: string, hash: string, now: number) =>
      row<Person | undefined>('viewer', session, hash, now),

    keyHolder: (hash: string, now: number) => row<KeyHolder | undefined>('keyHolder', hash, now),

    unread: ({ viewer }: Request) => ({
      unread_count: row<{ unread: number }>('unread', (viewer as Person).id).unread,
    }),

    comments({ id }: Request) {
      const { listed_comment_count } = row<{ listed_comment_count: number }>('commentTotal', id)
      return toCommentList(rows<CommentRow>('comments', id, 20), listed_comment_count)
    },

    likes({ viewer }: Request) {
      const { id } = viewer as Person
      return toFeed(rows<WorkRow>('liked', 20, id), total('likedTotal', id))
    },

    feeds({ viewer, sort }: Request) {
      const { id } = viewer as Person
      if (sort === 'following') {
        return toFeed(rows<WorkRow>('following', 20, id), total('followingTotal', id))
      }
      return toFeed(rows<WorkRow>('home', 20, id), row<{ total: number }>('homeTotal').total)
    },

    like: ({ viewer, id, now }: Request) =>
      write(() => {
        const me = (viewer as Person).id
        const { creator_id, like_count, title } = row<LockedWork>('work', id)
        const is_liked = run('like', id, me, now)
        if (is_liked) {
          run('addLike', id, 1)
          tell(creator_id, 'like', 'like.content', me, id, title, `/contents/${id}`, now)
        } else {
          run('unlike', id, me)
          run('addLike', id, -1)
          if (run('withdraw', creator_id, me, id)) run('takeNotice', creator_id)
        }
        return { is_liked, like_count: like_count + (is_liked ? 1 : -1) }
      }),

    comment: (request: Request) =>
      write(() => {
        const { id, body, now } = request
        const me = request.viewer as Person
        const { creator_id, title } = row<LockedWork>('work', id)
        const made = newId('cmt', now)
        const link = `/contents/${id}#${made}`
        run('comment', made, id, me.id, body, now)
        run('addComment', id, made)
        tell(creator_id, 'comment', 'comment.content', me.id, made, title, link, now)
        return toNewComment(made, me, request)
      }),

    message: (request: Request) =>
      write(() => {
        const { id, body, now } = request
        const me = request.viewer as Person
        const peer = row<{ is_suspended: number } | undefined>('peer', id, me.id)
        if (peer?.is_suspended !== 0) throw new Error('no such conversation')
        const made = newId('msg', now)
        run('message', made, id, me.id, body, now)
        run('addMessage', id, made, now)
        run('addToMembers', id, me.id, now)
        return toNewMessage(made, me, request)
      }),

    content: (request: Request) =>
      write(() => {
        const { work, now } = request
        const { category, type, title, description } = work
        const me = request.viewer as Person
        const id = newId('cnt', now)
        const tags = JSON.stringify(work.tags)
        run('content', id, me.id, category, type, title, description, tags, now)
        run('contentStats', id, me.id, category, now)
        for (const tag of work.tags) run('contentTag', tag, id, now)
        run('addContent', me.id)
        run('addToCategory', category)
        return toNewContent(id, me, request)
      }),
  }
}
