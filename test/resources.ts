import { newId } from '../src/db/ids.ts'
import type { RouteRecord } from '../src/http/declaration.ts'
import type { Actor, Anyone, Loose, TestApp } from './app.ts'
import { addPasskey } from './factors.ts'
import {
  dataOf,
  makeApp,
  makeComment,
  makeContent,
  makeConversation,
  makeKey,
  makeLegacyKey,
  makePost,
  sendMessage,
} from './make.ts'
import { makeFlashGame, makeModuleGame } from './playing.ts'
import { makeDecision } from './moderating.ts'

interface Parts {
  app: TestApp
  owner: Actor
  /** User who takes part in the owner's conversations. */
  participant: Actor
  peer: Actor
  editor: Actor
  decider: Actor
  receiver: { url: string }
  sessionOf(user: { id: string }): Promise<Anyone>
}

type Maker = (route: Pick<RouteRecord, 'path'>) => Promise<Loose>

/**
 * Returns functions that create a resource, by the prefix of its id. Each route gets a new resource, because some routes
 * delete it.
 */
export function resourcesOf({
  app,
  owner,
  participant,
  peer,
  editor,
  decider,
  receiver,
  sessionOf,
}: Parts) {
  const makers: Record<string, Maker> = {
    cnt: async ({ path }) => {
      const isFilm = path.endsWith('/swf')
      const isGame = /jump|thumbnail/.test(path)
      const make = isFilm ? makeFlashGame : isGame ? makeModuleGame : makeContent
      const { id } = await make(owner)
      return { id, content_id: id }
    },
    cmt: async ({ path }) => {
      const creator = path.endsWith('/hidden') ? owner : participant
      return { id: (await makeComment(owner, (await makeContent(creator)).id)).id }
    },
    pst: async () => ({ id: (await makePost(owner)).id }),
    pky: async () => {
      // Deletes earlier passkeys, because a user can have only 20.
      await app.sql('delete from passkeys')
      return { id: (await addPasskey(owner, 'http://localhost')).passkey.id }
    },
    cnv: async () => ({ id: (await makeConversation(owner, participant)).id }),
    msg: async () => {
      const { id } = await makeConversation(owner, participant)
      return { id: (await sendMessage(owner, id)).id }
    },
    ses: async () => {
      await sessionOf(owner)
      const { sessions } = dataOf(await owner.get('/auth/sessions'))
      return { id: sessions.find((session: Loose) => !session.is_current).id }
    },
    ntf: async () => {
      await makeComment(peer, (await makeContent(owner)).id)
      return { id: dataOf(await owner.get('/notifications')).notifications[0].id }
    },
    exp: async () => {
      const id = newId('exp', Date.now())
      await app.sql(
        `insert into exports (id, user_id, status, with_files, language, error, created_at)
        values ('${id}', '${owner.id}', 'failed', 0, 'ko', 'internal', 1)`,
      )
      return { id }
    },
    usr: async () => ({ id: peer.id }),
    cas: async () => {
      const subject = { kind: 'post', id: (await makePost(owner)).id }
      dataOf(await participant.post('/reports', { subject, reason: 'spam' }), 201)
      return { id: await app.value(`select id from cases where subject_id = '${subject.id}'`) }
    },
    apl: async () => {
      const { id } = await makePost(owner)
      const decision = await makeDecision(decider, 'hide', 'post', id)
      const path = `/decisions/${decision.id}/appeal`
      return { id: dataOf(await owner.post(path, { body: 'x' }), 201).appeal.id }
    },
    dec: async () => {
      const { id } = await makePost(owner)
      return { id: (await makeDecision(decider, 'hide', 'post', id)).id }
    },
    app: async () => ({ app_id: (await makeApp(owner)).id }),
    key: async ({ path }) => {
      if (path.includes('/developer/')) return { id: (await makeLegacyKey(owner)).key.id }
      return { key_id: (await makeKey(owner, (await makeApp(owner)).id)).key.id }
    },
    ann: async () => {
      const body = { title: { en: 'Maintenance' } }
      return { id: dataOf(await editor.post('/admin/announcements', body), 201).announcement.id }
    },
    inv: async () => ({ id: dataOf(await owner.post('/invites'), 201).invite.id }),
    reg: async () => {
      const id = newId('reg', app.clock.now())
      const handle = `applicant_${id.slice(-6)}`
      await app.sql(`insert into applications (id, handle, email, email_key, password_hash,
      display_name, application, language, status, created_at, expires_at)
      values ('${id}', '${handle}', '', '${handle}', '', '', '', 'ko', 'pending', 1, 4000000000000)`)
      return { id }
    },
    ban: async () => {
      const body = { kind: 'email_domain', value: `${newId('ban', 0).slice(-8)}.test` }
      return { id: dataOf(await editor.post('/admin/bans', body), 201).ban.id }
    },
    whk: async ({ path }) => {
      const { id } = await makeApp(owner)
      const body = { endpoint_url: receiver.url, events: ['jump.play'] }
      const { webhook } = dataOf(await owner.post(`/devconsole/apps/${id}/webhooks`, body), 201)
      const webhookPath = `/devconsole/webhooks/${webhook.id}`
      if (!path.includes('redeliver')) return { webhook_id: webhook.id }
      const { delivery } = dataOf(await owner.post(`${webhookPath}/test`))
      return { webhook_id: webhook.id, delivery_id: delivery.id }
    },
  }
  return makers
}
