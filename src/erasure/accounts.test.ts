import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PASSWORD } from '../../test/actors.ts'
import { type Loose, startApp } from '../../test/app.ts'
import {
  assertError,
  assertInvalid,
  dataOf,
  idsOf,
  makeApp,
  makeComment,
  makeContent,
  makeConversation,
  makeKey,
  makePost,
  program,
  sendMessage,
} from '../../test/make.ts'
import { until } from '../../test/receiver.ts'
import { drawing, makeUpload } from '../../test/uploads.ts'
import { makeDecision } from '../../test/moderating.ts'

const app = await startApp()
const admin = await app.admin()
await app.admin()
const [ben, cho] = [await app.user(), await app.user()]

let width = 500
const picture = () => drawing(++width).png().toBuffer()

const rows = (table: string, where: string) => app.count(`${table} where ${where}`)

async function untilErased(): Promise<void> {
  await until(async () => (await rows('jobs', "kind = 'erasure'")) === 0, 'the end of erasures')
}

const CHOICES = { contents: 'erase', texts: 'erase' }

async function erase(user: { id: string }, choices: object = CHOICES): Promise<void> {
  const body = { ...choices, reason: 'On request' }
  const { deletion } = dataOf(await admin.post(`/admin/users/${user.id}/erasure`, body), 202)
  assert.equal(deletion.status, 'running')
  await untilErased()
}

describe('an erased user', () => {
  test('is a tombstone, and nothing else about them can be found', async () => {
    const ana = await app.user({ display_name: 'Ana Real Name' })
    const avatar = await makeUpload(ana, await picture())
    dataOf(await ana.patch('/auth/me', { avatar_upload_id: avatar.id, bio: 'About me' }))
    const content = await makeContent(ana, { tags: ['ana'] })
    const bens = await makeContent(ben)
    const comment = await makeComment(ana, bens.id)
    const answer = await makeComment(ben, bens.id, { parent_id: comment.id })
    dataOf(await ana.put(`/comments/${answer.id}/like`))
    const hidden = await makeComment(ana, bens.id, { body: 'Hidden by Ben' })
    dataOf(await ben.put(`/comments/${hidden.id}/hidden`))
    const [post, lone] = [await makePost(ana, 'From Ana'), await makePost(ana)]
    dataOf(await ben.post(`/posts/${post.id}/replies`, { body: 'Hello' }), 201)
    const bensPost = await makePost(ben, `Look, @${ana.handle}`)
    dataOf(await ana.post(`/posts/${bensPost.id}/like`))
    dataOf(await ana.put(`/contents/${bens.id}/like`))
    dataOf(await ana.put(`/contents/${bens.id}/bookmark`))
    dataOf(await ana.put(`/creators/${ben.handle}/follow`))
    dataOf(await ana.put('/tags/ana/follow'))
    dataOf(await cho.put(`/creators/${ana.handle}/follow`))
    dataOf(await ana.put(`/creators/${cho.handle}/mute`))
    const conversation = await makeConversation(ana, ben)
    await sendMessage(ana, conversation.id, 'A message of Ana')
    const { id: appId } = await makeApp(ana, { scopes: ['contents:write'] })
    const { raw_key } = await makeKey(ana, appId)

    await erase(ana)
    assertError(await ana.get('/auth/me'), 401, 'UNAUTHORIZED')
    const login = { identifier: ana.handle, password: PASSWORD }
    assertError(await app.anon.post('/auth/login', login), 401, 'INVALID_CREDENTIALS')
    const body = { category: 'hype', type: 'image', title: 'By a key' }
    assertError(await program(app, raw_key).post('/contents', body), 401, 'UNAUTHORIZED')

    const list = dataOf(await ben.get(`/dm/conversations/${conversation.id}/messages`))
    assert.equal(list.messages[0].body, 'A message of Ana', 'the peer keeps the messages')
    const { conversations } = dataOf(await ben.get('/dm/conversations'))
    const { peer } = conversations.find(({ id }: Loose) => id === conversation.id)
    assert.match(peer.handle, /^deleted_[0-9a-z]{12}$/)
    assert.deepEqual(peer, {
      id: ana.id,
      handle: peer.handle,
      display_name: '탈퇴한 사용자',
      avatar_url: null,
      avatar_sizes: [],
    })
    const to = `/dm/conversations/${conversation.id}/messages`
    assertError(await ben.post(to, { body: 'x' }), 409, 'PEER_UNAVAILABLE')
    assertInvalid(await cho.post('/dm/conversations', { user_id: ana.id }), 'user_id')
    for (const handle of [ana.handle, peer.handle]) {
      assertError(await app.anon.get(`/creators/${handle}`), 404, 'CREATOR_NOT_FOUND')
      assertError(await app.anon.get(`/creators/${handle}/contents`), 404, 'CREATOR_NOT_FOUND')
      assertError(await app.anon.get(`/creators/${handle}/followers`), 404, 'CREATOR_NOT_FOUND')
      assertError(await cho.put(`/creators/${handle}/follow`), 404, 'CREATOR_NOT_FOUND')
      assertError(await cho.put(`/creators/${handle}/block`), 404, 'CREATOR_NOT_FOUND')
      assertInvalid(await cho.post('/dm/conversations', { handle }), 'handle')
    }
    assertError(await admin.get(`/admin/users/${ana.id}`), 404, 'USER_NOT_FOUND')
    assertError(
      await admin.patch(`/admin/users/${ana.id}`, { role: 'admin' }),
      404,
      'USER_NOT_FOUND',
    )
    const repeat = await admin.post(`/admin/users/${ana.id}/erasure`, { ...CHOICES, reason: 'x' })
    assertError(repeat, 404, 'USER_NOT_FOUND')
    for (const q of ['', `?q=${ana.id}`, '?q=deleted_', '?q=Ana%20Real']) {
      const { users } = dataOf(await admin.get(`/admin/users${q}`))
      assert.ok(!idsOf(users).includes(ana.id), q)
    }
    const { audit } = dataOf(await admin.get(`/admin/audit?target=${ana.id}`))
    assert.deepEqual(
      [audit[0].action, audit[0].reason, audit[0].after],
      ['erased', 'On request', CHOICES],
    )
    assert.match(audit[0].request_id, /^req_/)

    assertError(await app.anon.get(`/contents/${content.id}`), 404, 'CONTENT_NOT_FOUND')
    assertError(await app.anon.get(`/posts/${post.id}`), 404, 'POST_NOT_FOUND')
    assertError(await app.anon.get(`/posts/${lone.id}/thread`), 404, 'POST_NOT_FOUND')
    const { comments } = dataOf(await app.anon.get(`/contents/${bens.id}/comments`))
    assert.deepEqual(
      comments.map(({ body: text, author }: Loose) => [text, author?.id ?? null]),
      [
        ['', null],
        [comments[1].body, ben.id],
      ],
    )
    assert.equal(comments[1].like_count, 0)
    assert.equal(await rows('comments', `hidden_body is not null and author_id = '${ana.id}'`), 0)
    const left = dataOf(await app.anon.get(`/contents/${bens.id}`)).content
    assert.deepEqual([left.like_count, left.bookmark_count, left.comment_count], [0, 0, 1])
    assert.equal(dataOf(await app.anon.get(`/posts/${bensPost.id}`)).post.like_count, 0)
    const { creator } = dataOf(await app.anon.get(`/creators/${cho.handle}`))
    assert.equal(creator.following_count, 0)
    assert.equal((await fetch(app.url + avatar.url)).status, 404, 'the avatar is gone')
    const { notifications } = dataOf(await ben.get('/notifications'))
    assert.ok(notifications.every(({ actor }: Loose) => actor?.id !== ana.id))
    for (const table of [
      'likes',
      'bookmarks',
      'comment_likes',
      'post_likes',
      'tag_follows',
      'user_filters',
      'login_networks',
    ]) {
      assert.equal(await rows(table, `user_id = '${ana.id}'`), 0, table)
    }
    assert.equal(await rows('uploads', `owner_id = '${ana.id}'`), 0)
    const names = await app.sql(`select * from users where id = '${ana.id}'`)
    assert.ok(!JSON.stringify(names).includes(ana.handle))
    assert.ok(!JSON.stringify(names).includes('Real Name'))
    assert.deepEqual(await app.drifted(), [])
  })

  test('can keep contents and texts, whose author is then the tombstone', async () => {
    const ana = await app.user()
    const media = await makeUpload(ana, await picture())
    const unused = await makeUpload(ana, await picture())
    const shown = await makeContent(ana, { upload_ids: [media.id], tags: ['kept'] })
    const draft = await makeContent(ana, { publish: false })
    const comment = await makeComment(ana, shown.id, { body: 'Kept words' })
    const post = await makePost(ana, 'Kept post')
    dataOf(await ben.put(`/contents/${shown.id}/like`))
    await erase(ana, { contents: 'keep', texts: 'keep' })
    const { content } = dataOf(await app.anon.get(`/contents/${shown.id}`))
    assert.deepEqual(
      [content.title, content.creator.display_name, content.like_count],
      [shown.title, '탈퇴한 사용자', 1],
    )
    assert.equal(dataOf(await app.anon.get('/feeds?tag=kept')).pagination.total, 1)
    const { comments } = dataOf(await app.anon.get(`/contents/${shown.id}/comments`))
    assert.deepEqual(
      [comments[0].id, comments[0].body, comments[0].author.id],
      [comment.id, 'Kept words', ana.id],
    )
    assert.equal(dataOf(await app.anon.get(`/posts/${post.id}`)).post.body, 'Kept post')
    assert.equal((await fetch(app.url + media.url)).status, 200)
    assert.equal((await fetch(app.url + unused.url)).status, 404)
    assert.equal(await rows('contents', `id = '${draft.id}'`), 0, 'nobody could read the draft')
    dataOf(await ben.put(`/contents/${shown.id}/bookmark`))
    await makeComment(ben, shown.id, { parent_id: comment.id })
    assert.deepEqual(await app.drifted(), [])
  })

  test('leaves the handle reserved and the address free', async () => {
    const ana = await app.user()
    const [row] = await app.sql(`select email from users where id = '${ana.id}'`)
    await erase(ana)
    const captcha_token = 'plc_missing'
    const account = { handle: ana.handle, email: String(row?.['email']), password: PASSWORD }
    const { register } = await import('../auth/rules.ts')
    const { hash } = await import('node:crypto')
    const client = { ip: '127.0.0.1', userAgent: null } as never
    const token = async () => {
      const digest = hash('sha256', captcha_token, 'base64url')
      await app.sql(
        `insert into captcha_tokens (token_hash, expires_at) values ('${digest}', ${app.clock.now() + 60_000})`,
      )
    }
    await token()
    const attempt = (handle: string) =>
      register(app.db, app.deps, { ...account, handle, captcha_token }, client, app.clock.now())
    await assert.rejects(attempt(ana.handle), { code: 'HANDLE_TAKEN' })
    assert.equal((await attempt(`${ana.handle.slice(0, 20)}_new`)).user?.email, account.email)
    const answer = await app.anon.post('/auth/register', { ...account, handle: 'deleted_me' })
    assertInvalid(answer, 'handle')
    const hashes = await app.sql('select handle_hash from reserved_handles')
    assert.ok(!JSON.stringify(hashes).includes(ana.handle))
  })

  test('leaves reports without a reporter, and decisions without texts', async () => {
    const ana = await app.user()
    const content = await makeContent(ben)
    const [hidden, reported] = [
      await makeComment(ana, content.id, { body: 'Hidden words' }),
      await makeContent(ana),
    ]
    const post = await makePost(ana, 'Hidden post')
    const reports = '/reports'
    const about = (subject: object) => ({ subject, reason: 'spam' })
    dataOf(await ana.post(reports, about({ kind: 'content', id: content.id })), 201)
    dataOf(await ben.post(reports, about({ kind: 'content', id: reported.id })), 201)
    await makeDecision(admin, 'hide', 'comment', hidden.id, { reason: 'Not here' })
    await makeDecision(admin, 'hide', 'post', post.id, { reason: 'Not here' })
    const decision = await makeDecision(admin, 'hide', 'content', reported.id, {
      reason: 'Not here',
    })
    await app.sql(
      `insert into appeals (id, decision_id, user_id, body, status, created_at)
        values ('apl_1', '${decision.id}', '${ana.id}', 'My appeal', 'open', 1)`,
    )
    await erase(ana)
    assert.equal(await rows('reports', `reporter_id = '${ana.id}'`), 0)
    assert.equal(await rows('reports', 'reporter_id is null'), 1)
    assert.equal(await rows('cases', `subject_user_id = '${ana.id}' and snapshot is not null`), 0)
    const texts = JSON.stringify([
      await app.sql('select * from comments'),
      await app.sql('select * from posts'),
      await app.sql('select * from decisions'),
      await app.sql('select * from appeals'),
    ])
    for (const text of ['Hidden words', 'Hidden post', 'My appeal', reported.title]) {
      assert.ok(!texts.includes(text), text)
    }
    assert.equal(await rows('appeals', "status = 'open'"), 0)
    assert.equal(await rows('hidden_subjects', '1 = 1'), 0)
    assert.deepEqual(await app.drifted(), [])
  })

  test('can be suspended before, with followers', async () => {
    const ana = await app.user()
    dataOf(await ben.put(`/creators/${ana.handle}/follow`))
    dataOf(await ana.put(`/creators/${ben.handle}/follow`))
    await makeContent(ana)
    dataOf(await admin.patch(`/admin/users/${ana.id}`, { is_suspended: true, reason: 'x' }))
    await erase(ana, { contents: 'erase', texts: 'keep' })
    assert.equal(await rows('follows', `follower_id = '${ana.id}' or creator_id = '${ana.id}'`), 0)
    assert.deepEqual(await app.drifted(), [])
  })

  test('is refused for oneself, for unknown users and by users who are no admins', async () => {
    const body = { ...CHOICES, reason: 'x' }
    assertError(
      await admin.post(`/admin/users/${admin.id}/erasure`, body),
      409,
      'SELF_ACTION_FORBIDDEN',
    )
    assertError(await ben.post(`/admin/users/${cho.id}/erasure`, body), 403, 'FORBIDDEN')
    const unknown = 'usr_01kazr0p5vfq1s9m7c2xw4hd3t'
    assertError(await admin.post(`/admin/users/${unknown}/erasure`, body), 404, 'USER_NOT_FOUND')
    const nobody = 'usr_7zzzzzzzzzzzzzzzzzzzzzzzzz'
    assertError(await admin.post(`/admin/users/${nobody}/erasure`, body), 404, 'USER_NOT_FOUND')
    assertInvalid(await admin.post(`/admin/users/${cho.id}/erasure`, CHOICES), 'reason')
    assert.equal(dataOf(await cho.get('/auth/me')).user.handle, cho.handle)
    assert.equal(await rows('jobs', "kind = 'erasure'"), 0)
  })

  test('leaves no likes, whichever comes first', async () => {
    for (let round = 0; round < 4; round++) {
      const ana = await app.user()
      const contents = [await makeContent(ben), await makeContent(cho)]
      const body = { ...CHOICES, reason: 'x' }
      const answers = await Promise.all([
        ...contents.map(({ id }) => ana.put(`/contents/${id}/like`)),
        admin.post(`/admin/users/${ana.id}/erasure`, body),
        ana.put(`/creators/${ben.handle}/follow`),
      ])
      assert.equal(answers[2]?.status, 202)
      await untilErased()
      // Repeats the erasure, as the server does after a minute.
      await app.sql(
        `insert into jobs (id, kind, subject, status, due_at, created_at, updated_at)
          values ('job_${round}', 'erasure', '${ana.id}', 'queued', 1, 1, 1)`,
      )
      app.deps.worker.wake()
      await untilErased()
      assert.equal(await rows('likes', `user_id = '${ana.id}'`), 0)
      assert.equal(await rows('follows', `follower_id = '${ana.id}'`), 0)
      assert.deepEqual(await app.drifted(), [])
    }
  })

  test('a job for a user who is not erased does nothing', async () => {
    const ana = await app.user()
    const content = await makeContent(ana)
    for (const [index, id] of [ana.id, content.id].entries()) {
      await app.sql(
        `insert into jobs (id, kind, subject, status, due_at, created_at, updated_at)
          values ('job_x${index}', 'erasure', '${id}', 'queued', 1, 1, 1)`,
      )
    }
    app.deps.worker.wake()
    await untilErased()
    assert.equal(dataOf(await ana.get(`/contents/${content.id}`)).content.status, 'published')
  })
})
