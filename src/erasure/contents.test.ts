import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Actor, ENGINE, type Loose, startApp } from '../../test/app.ts'
import { assertError, dataOf, makeComment, makeContent, times } from '../../test/make.ts'
import { ask, makePageGame } from '../../test/playing.ts'
import { endedDeliveries, until, makeListener } from '../../test/receiver.ts'
import { drawing, makeUpload } from '../../test/uploads.ts'

import { Worker } from '../jobs/worker.ts'
import { deleteComment } from '../comments/edit.ts'
import { CONTENT_STEPS, eraseContentRows } from './content-steps.ts'
import { resumeErasures } from './rules.ts'

const app = await startApp()
const [ana, ben, cho] = [await app.user(), await app.user(), await app.user()]

let width = 300
const picture = () => drawing(++width).png().toBuffer()

async function archive(author: Actor, { id }: Loose): Promise<void> {
  assert.equal((await author.delete(`/contents/${id}`)).status, 204)
}

async function erase(author: Actor, content: Loose): Promise<void> {
  await archive(author, content)
  const { erasure } = dataOf(await author.post(`/contents/${content.id}/erasure`), 202)
  assert.deepEqual(erasure, { content_id: content.id, status: 'queued' })
}

const rows = (table: string, column: string, value: string) =>
  app.count(`${table} where ${column} = '${value}'`)

async function untilErased({ id }: Loose): Promise<void> {
  await until(async () => (await rows('jobs', 'subject', id)) === 0, 'the end of the erasure')
}

const usedBy = async (user: Actor): Promise<number> =>
  dataOf(await user.get('/auth/me')).user.storage.used_bytes

describe('erasing archived content', () => {
  test('is 404 for everyone at once, and deletes every row and unused file', async () => {
    const before = await usedBy(ana)
    const media = await makeUpload(ana, await picture())
    const content = await makeContent(ana, { upload_ids: [media.id], tags: ['gone'] })
    const parent = await makeComment(ben, content.id, { body: `Look @${cho.handle}` })
    const reply = await makeComment(cho, content.id, { parent_id: parent.id })
    for (const user of [ana, ben, cho]) dataOf(await user.put(`/comments/${parent.id}/like`))
    const hidden = await makeComment(ben, content.id)
    dataOf(await ana.put(`/comments/${hidden.id}/hidden`))
    dataOf(await ana.put(`/contents/${content.id}/pinned-comment`, { comment_id: parent.id }))
    dataOf(await ben.put(`/comments/${reply.id}/like`))
    await ben.delete(`/comments/${parent.id}`)
    dataOf(await ben.put(`/contents/${content.id}/like`))
    dataOf(await cho.put(`/contents/${content.id}/bookmark`))
    await erase(ana, content)
    for (const caller of [ana, ben, app.anon]) {
      assertError(await caller.get(`/contents/${content.id}`), 404, 'CONTENT_NOT_FOUND')
      assertError(await caller.get(`/contents/${content.id}/comments`), 404, 'CONTENT_NOT_FOUND')
    }
    for (const path of ['restore', 'erasure']) {
      assertError(await ana.post(`/contents/${content.id}/${path}`), 404, 'CONTENT_NOT_FOUND')
    }
    assertError(await ana.patch(`/contents/${content.id}`, {}), 404, 'CONTENT_NOT_FOUND')
    const archived = dataOf(await ana.get('/users/me/contents?status=archived'))
    assert.equal(archived.pagination.total, 0)
    await untilErased(content)
    for (const [table, column] of [
      ['contents', 'id'],
      ['content_stats', 'content_id'],
      ['content_media', 'content_id'],
      ['comments', 'content_id'],
      ['likes', 'content_id'],
      ['bookmarks', 'content_id'],
      ['content_views', 'content_id'],
      ['notifications', 'subject_id'],
    ] as const) {
      assert.equal(await rows(table, column, content.id), 0, table)
    }
    for (const { id } of [parent, reply]) {
      assert.equal(await rows('notifications', 'subject_id', id), 0)
      assert.equal(await rows('comment_likes', 'comment_id', id), 0)
    }
    assert.equal(await rows('uploads', 'id', media.id), 0)
    assert.equal((await fetch(app.url + media.url)).status, 404, 'the picture is gone')
    assert.equal((await fetch(app.url + content.thumbnail_url)).status, 404)
    assert.equal(await usedBy(ana), before)
    assert.deepEqual(await app.drifted(), [])
  })

  test('deletes a game with its plays, bundle and files', async () => {
    const game = await makePageGame(ana)
    dataOf(await ask(ben, game.id))
    const { url } = game.media[0]
    await erase(ana, game)
    assertError(await ana.get(`/jump/games/${game.id}`), 404, 'GAME_NOT_FOUND')
    assertError(await ana.get(`/contents/${game.id}/thumbnail-job`), 404, 'CONTENT_NOT_FOUND')
    await untilErased(game)
    assert.equal(await rows('plays', 'game_id', game.id), 0)
    assert.equal(await rows('bundle_files', 'bundle_sha256', url.slice(9, 73)), 0)
    const left = await Array.fromAsync(app.deps.store.list(`bundles/${url.slice(9, 73)}/`))
    assert.deepEqual(left, [])
    assert.deepEqual(await app.drifted(), [])
  })

  test('keeps files that other content, a profile or another user uses', async () => {
    const [shared, both] = [await picture(), await picture()]
    const sharedUpload = await makeUpload(ana, shared)
    const avatar = await makeUpload(ana, await picture())
    const bens = await makeUpload(ben, both)
    const own = await makeUpload(ana, both)
    await makeContent(ana, { upload_ids: [sharedUpload.id] })
    dataOf(await ana.patch('/auth/me', { avatar_upload_id: avatar.id }))
    const content = await makeContent(ana, { upload_ids: [sharedUpload.id, avatar.id, own.id] })
    await erase(ana, content)
    await untilErased(content)
    for (const { url } of [sharedUpload, avatar, bens]) {
      assert.equal((await fetch(app.url + url)).status, 200)
    }
    assert.deepEqual(
      await Promise.all([sharedUpload, avatar, own].map(({ id }) => rows('uploads', 'id', id))),
      [1, 1, 0],
    )
    assert.deepEqual(await app.drifted(), [])
  })

  test('is refused unless the content is archived, and for other users', async () => {
    const [draft, published] = [await makeContent(ana, { publish: false }), await makeContent(ana)]
    for (const { id } of [draft, published]) {
      assertError(await ana.post(`/contents/${id}/erasure`), 409, 'CONTENT_NOT_ARCHIVED')
    }
    assertError(await ben.post(`/contents/${published.id}/erasure`), 403, 'NOT_CONTENT_AUTHOR')
    await archive(ana, published)
    assertError(await ben.post(`/contents/${published.id}/erasure`), 404, 'CONTENT_NOT_FOUND')
    assertError(await app.anon.post(`/contents/${published.id}/erasure`), 401, 'UNAUTHORIZED')
    assert.equal(dataOf(await ana.get(`/contents/${published.id}`)).content.status, 'archived')
    const jobs = await app.sql(`select id from jobs where subject = '${published.id}'`)
    assert.deepEqual(jobs, [], 'a refused erasure queues nothing')
  })

  test('emits content.erased only for content that was public', async () => {
    const { owner, receiver, webhook } = await makeListener(app, undefined, ['content.erased'])
    const [draft, shown] = [await makeContent(owner, { publish: false }), await makeContent(owner)]
    await erase(owner, draft)
    await archive(owner, shown)
    dataOf(await owner.post(`/contents/${shown.id}/restore`))
    await erase(owner, shown)
    await endedDeliveries(owner, webhook.id)
    assert.deepEqual(
      receiver.received.map(({ event }) => event.data),
      [{ content_id: shown.id }],
    )
  })

  test('happens once when requested several times at once, also beside a restore', async () => {
    const content = await makeContent(ana)
    await archive(ana, content)
    const answers = await times(4, () => ana.post(`/contents/${content.id}/erasure`))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [202, 404, 404, 404])
    const otherContent = await makeContent(ana)
    await archive(ana, otherContent)
    const [erased, restored] = await Promise.all([
      ana.post(`/contents/${otherContent.id}/erasure`),
      ana.post(`/contents/${otherContent.id}/restore`),
    ])
    const outcome = [erased.status, restored.status]
    assert.ok(
      ['202,404', '409,200'].includes(outcome.join()),
      `one of both happens, not ${outcome.join()}`,
    )
    await untilErased(content)
    assert.deepEqual(await app.drifted(), [])
  })

  test('leaves a like before it, or refuses the like', async () => {
    const content = await makeContent(ana)
    const answers = await Promise.all([
      ...[ben, cho].map((user) => user.put(`/contents/${content.id}/like`)),
      ana.delete(`/contents/${content.id}`).then(() => ana.post(`/contents/${content.id}/erasure`)),
    ])
    assert.equal(answers[2]?.status, 202)
    for (const { status } of answers.slice(0, 2)) assert.ok(status === 200 || status === 404)
    await untilErased(content)
    assert.equal(await rows('likes', 'content_id', content.id), 0)
    assert.deepEqual(await app.drifted(), [])
  })
})

test('has a step for each table that refers to a content item', async () => {
  const tables = await app.sql(
    ENGINE === 'postgres'
      ? `select t.relname as name from pg_constraint as r join pg_class as t on t.oid = r.conrelid
          where r.contype = 'f' and r.confrelid = 'contents'::regclass`
      : `select t.name from sqlite_schema as t join pragma_foreign_key_list(t.name) as r
          where t.type = 'table' and r."table" = 'contents'`,
  )
  // Tables whose rows are deleted with the content, or were deleted when the content was archived.
  const others = ['content_media', 'content_stats', 'content_tags', 'content_texts']
  assert.deepEqual(
    tables.map(({ name }) => String(name)).sort(),
    [...Object.keys(CONTENT_STEPS), ...others].sort(),
    'add a step to src/erasure/content-steps.ts',
  )
})

describe('a long erasure', () => {
  test('deletes 50 rows at a time, and counts equal rows after each step', async () => {
    await app.deps.worker.close()
    const content = await makeContent(ana)
    const comments = await times(20, () => makeComment(ben, content.id))
    for (const parent of comments.slice(0, 15)) {
      const reply = await makeComment(cho, content.id, { parent_id: parent.id })
      const last = await makeComment(ben, content.id, { parent_id: reply.id })
      await makeComment(cho, content.id, { parent_id: last.id })
      await ben.delete(`/comments/${parent.id}`)
      await cho.delete(`/comments/${reply.id}`)
    }
    await ben.delete(`/comments/${comments[19]?.id}`)
    dataOf(await ben.put(`/contents/${content.id}/like`))
    await erase(ana, content)
    let steps = 0
    for (let erased = 1; erased > 0; steps++) {
      erased = await app.db.transaction(
        (tx) => CONTENT_STEPS['comments']?.(tx, content.id, 20) ?? Promise.resolve(0),
      )
      assert.ok(erased <= 20)
      assert.deepEqual(await app.drifted(), [])
      // The author of a comment may delete the comment between two steps.
      const [own] = await app.sql(
        `select max(id) as id from comments where content_id = '${content.id}' and is_deleted = 0`,
      )
      const [row] = await app.sql(
        `select author_id from comments where id = '${String(own?.['id'])}'`,
      )
      if (row) {
        const writer = row['author_id'] === ben.id ? ben : cho
        await deleteComment(app.db, writer as never, String(own?.['id']))
        assert.deepEqual(await app.drifted(), [])
      }
    }
    assert.ok(steps > 3)
    assert.equal(await rows('comments', 'content_id', content.id), 0)
    await eraseContentRows(app.deps, content.id)
    assert.equal(await rows('contents', 'id', content.id), 0)
    await app.sql(`delete from jobs where subject = '${content.id}'`)
  })

  test('is resumed by another process when its process dies, or when it failed', async () => {
    const media = await makeUpload(ana, await picture())
    const content = await makeContent(ana, { upload_ids: [media.id] })
    await Promise.all([ben, cho].map((user) => user.put(`/contents/${content.id}/like`)))
    await erase(ana, content)
    // Simulates a process that dies after 1, 2, 3 and more transactions.
    for (let allowed = 1; allowed < 12; allowed++) {
      let begun = 0
      const db = new Proxy(app.db, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name, target)
          if (name !== 'transaction')
            return typeof value === 'function' ? value.bind(target) : value
          return (action: never) => {
            if (++begun > allowed) throw new Error('dead')
            return target.transaction(action)
          }
        },
      })
      await eraseContentRows({ db, store: app.deps.store }, content.id).catch(() => {})
      assert.deepEqual(await app.drifted(), [])
    }
    await app.sql(
      `update jobs set status = 'failed', error = 'internal', due_at = null where subject = '${content.id}'`,
    )
    await resumeErasures(app.db, app.clock.now())
    const sibling = await app.sibling()
    await untilErased(content)
    await sibling.close()
    assert.equal((await fetch(app.url + media.url)).status, 404)
    assert.equal(await rows('contents', 'id', content.id), 0)
    assert.equal(await rows('removed_files', 'sha256', media.sha256), 0)
    assert.deepEqual(await app.drifted(), [])
  })

  test('keeps the file of an upload of the same bytes beside it', async () => {
    const worker = new Worker(app.db, () => app.clock.now(), app.deps.log)
    await worker.close()
    for (let round = 0; round < 12; round++) {
      const bytes = await picture()
      const first = await makeUpload(ana, bytes)
      const content = await makeContent(ana, { upload_ids: [first.id] })
      await erase(ana, content)
      const [, second] = await Promise.all([
        eraseContentRows(app.deps, content.id),
        new Promise((done) => setTimeout(done, round)).then(() => makeUpload(ben, bytes)),
      ])
      assert.equal((await fetch(app.url + second.url)).status, 200, `round ${round}`)
      await app.sql(`delete from jobs where subject = '${content.id}'`)
    }
    assert.deepEqual(await app.drifted(), [])
  })
})
