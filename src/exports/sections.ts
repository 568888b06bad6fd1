/**
 * Lists in a data export, with the same records as the API's responses. Every feature that stores user data needs a
 * list here.
 */
import { listBlocks, listMutes } from '../blocks/rules.ts'
import { iso } from '../clock.ts'
import { readBundle } from '../bundles/rules.ts'
import { findComment } from '../comments/queries.ts'
import { toComment } from '../comments/schema.ts'
import { findContentRecord, loadDetail } from '../contents/load.ts'
import { listCreatorUsers } from '../creators/rules.ts'
import type { Handle } from '../db/handle.ts'
import { listRows } from '../db/rows.ts'
import { listConversations, listMessages } from '../dm/load.ts'
import { listMyReactions } from '../feeds/rules.ts'
import type { Viewer } from '../http/auth.ts'
import { offsetOf, type PageInput } from '../http/page.ts'
import type { Language } from '../messages/language.ts'
import { listOwnDecisions } from '../moderation/own-decisions.ts'
import { listReportsBy } from '../moderation/report-queries.ts'
import { toReport } from '../moderation/schema.ts'
import { listNotifications } from '../notifications/queries.ts'
import { toNotification } from '../notifications/schema.ts'
import { listPostsBy } from '../posts/lists.ts'
import { toUpload } from '../uploads/schema.ts'
import { listCommentIds, listContentIds, listUploadsOf } from './own-queries.ts'

const PER_PAGE = 100

type Records = AsyncIterable<object>
export type Section = (db: Handle, viewer: Viewer, language: Language) => Records

async function* pages(read: (page: PageInput) => Promise<readonly object[]>): Records {
  for (let page = 1; ; page++) {
    const rows = await read({ page, per_page: PER_PAGE })
    yield* rows
    if (rows.length < PER_PAGE) return
  }
}

/**
 * Yields the records of all rows, page by page. `read` returns the page of rows after the id `after`. `load`
 * returns the record of a row, or undefined to skip the row.
 */
async function* walk<R extends { id: string }>(
  read: (after: string) => Promise<readonly R[]>,
  load: (row: R) => Promise<object | undefined>,
): Records {
  for (let after = ''; ; ) {
    const rows = await read(after)
    for (const row of rows) {
      const record = await load(row)
      if (record) yield record
    }
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}

const users =
  (side: 'followers' | 'following'): Section =>
  (db, viewer) =>
    pages(async (page) => {
      const { handle } = viewer
      return (await listCreatorUsers(db, { handle, side }, viewer, page)).users
    })

const reactions =
  (reaction: 'likes' | 'bookmarks'): Section =>
  (db, viewer) =>
    pages(async (page) => (await listMyReactions(db, viewer, reaction, page)).feeds)

async function* posts(db: Handle, viewer: Viewer): Records {
  for (let before: string | undefined; ; ) {
    const page = await listPostsBy(db, viewer.id, viewer, { limit: PER_PAGE, before })
    yield* page.posts
    if (page.next_cursor === null) return
    before = page.next_cursor
  }
}

async function* messages(db: Handle, viewer: Viewer): Records {
  for (const state of ['accepted', 'request'] as const) {
    const seen = new Set<string>()
    for (let before: string | undefined; ; ) {
      const query = { limit: PER_PAGE, before, state } as never
      const page = await listConversations(db, viewer, query)
      for (const { id } of page.conversations) {
        if (!seen.has(id)) yield* messagesOf(db, viewer, id)
        seen.add(id)
      }
      if (page.next_cursor === null) break
      before = page.next_cursor
    }
  }
}

async function* messagesOf(db: Handle, viewer: Viewer, conversationId: string): Records {
  for (let before: string | undefined; ; ) {
    const query = { limit: PER_PAGE, before } as never
    const page = await listMessages(db, viewer, conversationId, query)
    yield* page.messages.toReversed()
    if (page.next_cursor === null) return
    before = page.next_cursor
  }
}

async function* followedTags(db: Handle, { id: user_id }: Viewer): Records {
  for (const { tag, created_at } of await listRows(db, 'tag_follows', { user_id }, { by: 'tag' })) {
    yield { tag, created_at: iso(created_at) }
  }
}

async function* none(): Records {}

export const SECTIONS: Record<string, Section> = {
  contents: (db, { id: userId }, language) =>
    walk(
      (after) => listContentIds(db, { userId, after, limit: PER_PAGE }),
      async ({ id }) => {
        const row = await findContentRecord(db, id, userId)
        return row && loadDetail(db, row, userId, language)
      },
    ),
  comments: (db, { id: userId }) =>
    walk(
      (after) => listCommentIds(db, { userId, after, limit: PER_PAGE }),
      async ({ id }) => {
        const row = await findComment(db, id, userId)
        return row && toComment(row)
      },
    ),
  posts,
  messages,
  likes: reactions('likes'),
  bookmarks: reactions('bookmarks'),
  following: users('following'),
  followers: users('followers'),
  followed_tags: followedTags,
  blocks: (db, viewer) => pages(async (page) => (await listBlocks(db, viewer, page)).users),
  mutes: (db, viewer) => pages(async (page) => (await listMutes(db, viewer, page)).users),
  notifications: (db, viewer, language) =>
    pages(async (page) => {
      const { listed } = await listNotifications(db, viewer.id, offsetOf(page))
      return listed.map((row) => toNotification(row, language))
    }),
  uploads: (db, { id: userId }) =>
    walk(
      (after) => listUploadsOf(db, { userId, after, limit: PER_PAGE }),
      async (row) =>
        toUpload(row, { ...row, sha256: row.file_sha256 }, await readBundle(db, row.file_sha256)),
    ),
  // The server does not store saves of games yet.
  saves: none,
  reports: (db, viewer) =>
    pages(async (page) =>
      (await listReportsBy(db, viewer.id, offsetOf(page))).reports.map(toReport),
    ),
  decisions: (db, viewer, language) =>
    pages(async (page) => (await listOwnDecisions(db, viewer, page, language)).decisions),
}
