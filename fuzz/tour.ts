/** Calls every operation successfully once, which creates the data that later steps need. */
import { setTimeout as sleep } from 'node:timers/promises'
import { formWith, FORM_TYPE } from '../test/uploads.ts'
import type { Loose } from '../test/actors.ts'
import type { Description } from './document.ts'
import { FILES } from './files.ts'
import type { Lane } from './lane.ts'
import type { ActorName, Step } from './steps.ts'

interface Asked {
  by?: ActorName
  json?: Loose
  query?: Record<string, unknown>
  body?: Step['body']
}

/** Calls all operations. Throws when one fails. */
export async function tour(lane: Lane, document: Description): Promise<void> {
  const byId = new Map(document.operations.map((operation) => [operation.id, operation]))
  const ask = async (id: string, params: string[] = [], asked: Asked = {}): Promise<Loose> => {
    const operation = byId.get(id)
    if (!operation) throw new Error(`openapi.json has no operation ${id}`)
    const names = operation.parameters
      .filter((parameter) => parameter.in === 'path')
      .map(({ name }) => name)
    const path = names.map((name, i) => [name, { text: params[i] ?? '', mayMissRoute: false }])
    const body = asked.body ?? (asked.json && { json: asked.json })
    const step: Step = {
      operation,
      actor: asked.by ?? 'member',
      path: Object.fromEntries(path),
      query: asked.query ?? {},
      headers: {},
      ...(body && { body }),
    }
    const { got } = await lane.take(step)
    if (got.status >= 400 && got.status !== 501) {
      throw new Error(`${id} returned ${got.status} ${got.text}`)
    }
    return got.json?.data
  }
  await accounts(lane, ask)
  const content = await action(lane, ask)
  await games(lane, ask)
  await people(lane, ask, content)
  await talk(ask, content)
  await console(lane, ask, content)
  await administration(lane, ask)
  const plain = ['checkHealth', 'getWasmContract', 'listFeeds', 'listHypeFeed', 'listSwipeFeed']
  for (const id of [...plain, 'listJumpFeed', 'listGames']) await ask(id)
  for (const id of ['listMyContents', 'listMyAuthoredContents', 'listMyPosts']) await ask(id)
  const marked = [
    'listMyLikes',
    'listMyLikedContents',
    'listMyBookmarks',
    'listMyBookmarkedContents',
  ]
  for (const id of marked) await ask(id, [], { by: 'other' })
}

type Ask = (id: string, params?: string[], asked?: Asked) => Promise<Loose>

async function accounts(lane: Lane, ask: Ask): Promise<void> {
  const by = 'anonymous' as const
  await ask('createChallenge', [], { by })
  const payload = await lane.solve()
  const { captcha_token } = await ask('verifyCaptcha', [], { by, json: { payload } })
  const password = 'a long walk by the river'
  const user = (name: string) => {
    const handle = `${name}_${lane.name}`
    return { handle, email: `${handle}@example.test`, password }
  }
  await ask('register', [], { by, json: { ...user('reg'), captcha_token } })
  const token = await lane.captchaToken()
  await ask('registerFormerly', [], { by, json: { ...user('sig'), captcha_token: token } })
  const identifier = `reg_${lane.name}`
  const { tokens } = await ask('signIn', [], { by, json: { identifier, password } })
  await ask('refreshSession', [], { by, json: { refresh_token: tokens.refresh_token } })
  await ask('getMe')
  await ask('updateMe', [], { json: { display_name: '미나', bio: null } })
  await ask('signInWithProvider', ['google'], { by })
  const { sessions } = await ask('listSessions', [], { by: 'other' })
  await ask('revokeSession', [sessions[0].id], { by: 'other' })
  await lane.revive()
  await ask('signOut', [], { by: 'other' })
  await lane.revive()
}

async function action(lane: Lane, ask: Ask): Promise<string> {
  const upload = await send(ask, 'png')
  lane.pool.add('picture', upload.id, 'member')
  await ask('getFile', [upload.url.slice('/uploads/'.length)], { by: 'anonymous' })
  const base = { category: 'hype', type: 'image', title: '강물', tags: ['바다'] }
  const { content } = await ask('createContent', [], { json: { ...base, upload_ids: [upload.id] } })
  const draft = await ask('createContent', [], { json: { ...base, publish: false } })
  await ask('getContent', [content.id], { by: 'anonymous' })
  await ask('updateContent', [draft.content.id], { json: { status: 'published' } })
  await ask('archiveContent', [draft.content.id])
  await ask('getConversion', [content.id])
  await ask('listRecommendations', [content.id], { by: 'anonymous' })
  return content.id
}

async function send(ask: Ask, kind: string, by: ActorName = 'member'): Promise<Loose> {
  const form = formWith(FILES[kind] as Buffer)
  return (await ask('createUpload', [], { by, body: { form, type: FORM_TYPE } })).upload
}

async function games(lane: Lane, ask: Ask): Promise<void> {
  const base = { category: 'jump', type: 'game', title: 'A game' }
  for (const kind of ['zip', 'wasm', 'swf']) {
    const upload = await send(ask, kind)
    const { content } = await ask('createContent', [], {
      json: { ...base, upload_ids: [upload.id] },
    })
    const { id } = content
    lane.pool.add('game', id, 'member')
    const asked = { by: 'other', json: { id } } as const
    await ask('playGame', [id], asked)
    if (kind === 'wasm') await ask('streamGame', [id], asked)
    if (kind === 'swf') await ask('getSwf', [id], asked)
    if (kind !== 'zip') continue
    await ask('startThumbnailJob', [id])
    await ask('getThumbnailJob', [id])
    await ask('getGame', [id], { query: { include: 'related,popular' } })
    for (const former of ['getGameFormerly', 'playGameFormerly']) await ask(former, [id])
    for (const former of ['streamGameFormerly', 'getSwfFormerly']) await ask(former, [id])
    await ask('listGamesFormerly')
  }
}

async function people(lane: Lane, ask: Ask, content: string): Promise<void> {
  const creator = `member_${lane.name}`
  const by = 'other' as const
  for (const id of ['toggleFollow', 'unfollowCreator', 'followCreator'])
    await ask(id, [creator], { by })
  for (const thing of ['Like', 'Bookmark']) {
    for (const act of ['toggle', 'unset', 'set']) await ask(`${act}${thing}`, [content], { by })
  }
  for (const id of ['getCreator', 'listCreatorContents', 'listFollowers', 'listFollowing']) {
    await ask(id, [creator], { by: 'anonymous' })
  }
  const json = { body: 'Well made' }
  const { comment } = await ask('createComment', [content], { by, json })
  const reply = await ask('createComment', [content], { json: { ...json, parent_id: comment.id } })
  await ask('listComments', [content])
  await ask('updateComment', [comment.id], { by, json: { body: 'Very well made' } })
  await ask('deleteComment', [reply.comment.id])
  const { notifications } = await ask('listNotifications')
  await ask('countUnreadNotifications')
  await ask('markNotificationRead', [notifications[0].id])
  await ask('markAllNotificationsRead')
}

async function talk(ask: Ask, content: string): Promise<void> {
  const json = { body: `Look at ${content}` }
  const { post } = await ask('createPost', [], { json })
  const reply = await ask('createReply', [post.id], { by: 'other', json })
  await ask('likePost', [post.id], { by: 'other' })
  await ask('unlikePost', [post.id], { by: 'other' })
  for (const id of ['getPost', 'getThread']) await ask(id, [post.id])
  await ask('listPosts')
  await ask('deletePost', [reply.post.id], { by: 'other' })
  const { user } = await ask('getMe', [], { by: 'other' })
  const { conversation } = await ask('createConversation', [], { json: { user_id: user.id } })
  await ask('sendMessage', [conversation.id], { json })
  await ask('listConversations')
  await ask('listMessages', [conversation.id])
  await ask('markConversationRead', [conversation.id], { by: 'other' })
}

async function console(lane: Lane, ask: Ask, content: string): Promise<void> {
  await lane.openKeys()
  await ask('listScopes')
  await ask('listEventTypes')
  const { app } = await ask('createApp', [], {
    json: { app_name: 'River', app_type: 'server', scopes: ['contents:write'] },
  })
  for (const id of ['listApps', 'getApp']) await ask(id, [app.id])
  await ask('updateApp', [app.id], { json: { description: null } })
  const { key } = await ask('createKey', [app.id], {
    json: { key_name: 'Camera', environment: 'test' },
  })
  await ask('listKeys', [app.id])
  const rotated = await ask('rotateKey', [key.id], { json: { overlap_seconds: 10 } })
  await ask('revokeKey', [rotated.key.id])
  const legacy = await ask('createLegacyKey', [], { json: { key_name: 'Nightly' } })
  await ask('listLegacyKeys')
  await ask('revokeLegacyKey', [legacy.key.id])
  await webhooks(lane, ask, app.id, content)
  const spare = await ask('createApp', [], { json: { app_name: 'Spare', app_type: 'cli' } })
  await ask('deleteApp', [spare.app.id])
}

async function webhooks(lane: Lane, ask: Ask, appId: string, content: string): Promise<void> {
  const { hookUrl } = lane.target
  const made = await ask('createWebhook', [appId], {
    json: { endpoint_url: hookUrl, events: ['content.liked', 'content.published'] },
  })
  const { id } = made.webhook
  await ask('listWebhooks', [appId])
  await ask('updateWebhook', [id], { json: { is_active: true } })
  await ask('testWebhook', [id])
  await ask('toggleLike', [content], { by: 'admin' })
  await ask('rotateWebhookSecrets', [id])
  const { deliveries } = await ask('listDeliveries', [id])
  for (let i = 0; ; i++) {
    const [newest] = (await ask('listDeliveries', [id])).deliveries
    if (newest.status !== 'pending') break
    if (i === 200) throw new Error('a delivery is still pending after 5 seconds')
    await sleep(25)
  }
  await ask('redeliverEvent', [id, deliveries[0].id])
  const spare = await ask('createWebhook', [appId], {
    json: { endpoint_url: hookUrl, events: ['jump.play'] },
  })
  await ask('deleteWebhook', [spare.webhook.id])
}

async function administration(lane: Lane, ask: Ask): Promise<void> {
  const by = 'admin' as const
  const { users } = await ask('listUsers', [], { by, query: { q: `reg_${lane.name}` } })
  const { id } = users[0]
  await ask('getUser', [id], { by })
  await ask('updateUser', [id], { by, json: { is_suspended: true, reason: 'Advertising' } })
  await ask('listAuditEntries', [id], { by })
}
