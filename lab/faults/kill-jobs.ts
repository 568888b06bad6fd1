/**
 * Kills the server between the cause of a mail and its sending, between the steps of erasures, and during
 * exports.
 */
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import yauzl from 'yauzl'
import { systemClock } from '../../src/clock.ts'
import { readConfig } from '../../src/config.ts'
import type { Role } from '../../src/db/tables.ts'
import type { Deps } from '../../src/deps.ts'
import { Passwords } from '../../src/factors/passwords.ts'
import { type Actor, anyone, makeActor, PASSWORD } from '../../test/actors.ts'
import { dataOf, makeContent, makePost, times } from '../../test/make.ts'
import { startSmtp } from '../../test/smtp.ts'
import { makePng, makeUpload } from '../../test/uploads.ts'
import type { Fault } from './fault.ts'
import { type Harness, until } from '../harness/harness.ts'

/** Number of users in a round for each kind of background work. */
const USERS = 3
/** Number of texts of a user. An erasure deletes fewer in one step, so a kill can come between two steps. */
const TEXTS = 120
const PATIENCE_MS = 120_000

export const killJobs: Fault = {
  name: 'kill-jobs',
  promise: 'sends each mail, and finishes each erasure and export, once when killed',
  rounds: { full: 30, short: 2 },
  async run(harness, rounds) {
    const { findings } = harness
    const smtp = await startSmtp()
    harness.atEnd(() => smtp.stop())
    const settings = {
      SMTP_URL: smtp.url,
      MAIL_FROM: 'plaza@example.test',
    }
    const maker = makerOf(harness, settings)
    const resets: Actor[] = []
    const erased: string[] = []
    const exporters: { user: Actor; id: string }[] = []
    let server = await harness.serve(settings)
    const admin = await maker(server.url, 'admin')
    for (let round = 0; round < rounds; round++) {
      const { url } = server
      const victims = await times(USERS, () => maker(url, 'user'))
      const savers = await times(USERS, () => maker(url, 'user'))
      for (const user of [...victims, ...savers]) await write(user)
      const forgetful = await times(USERS, () => maker(url, 'user'))
      const boss = admin.at(url)
      const mails = () =>
        forgetful.map(async (user) => {
          dataOf(await anyone(url).post('/auth/password-reset', { identifier: user.handle }), 202)
          resets.push(user)
        })
      const erasures = () =>
        victims.map(async ({ id }) => {
          const body = { contents: 'erase', texts: 'erase', reason: 'Requested' }
          dataOf(await boss.post(`/admin/users/${id}/erasure`, body), 202)
          erased.push(id)
        })
      // Waits for some exports first. Otherwise the kill could come before the slow password checks end.
      const asked = savers.map(async (user) => {
        const body = { current_password: PASSWORD, with_files: true }
        exporters.push({ user, id: dataOf(await user.post('/exports', body), 202).export.id })
      })
      await Promise.all(asked.slice(0, randomInt(1, USERS + 1)))
      asked.push(...erasures(), ...mails())
      const results = Promise.allSettled(asked)
      await sleep(randomInt(250))
      await harness.kill(server)
      await results
      await harness.sql('update jobs set due_at = 1 where lease is not null')
      await harness.sql('update mails set due_at = 1 where lease is not null')
      server = await harness.serve(settings)
    }
    const left = `(select count(*) from jobs where status in ('queued', 'processing'))
      + (select count(*) from mails where status = 'pending')`
    const isDone = async () => (await harness.number(left)) === 0
    await until(isDone, PATIENCE_MS, 'jobs and mails do not end')
    let repeated = 0
    for (const { email, handle } of resets) {
      const mails = smtp.mails.filter(({ to }) => to === email)
      const ids = new Set(mails.map(({ headers }) => headers['message-id']))
      repeated += Math.max(0, mails.length - 1)
      if (mails.length === 0) findings.lost++
      if (ids.size > 1) findings.duplicated++
      const token = mails.at(-1)?.token
      const body = { token, new_password: 'another long password 7' }
      const { status, text } = await anyone(server.url).post('/auth/password-reset/confirm', body)
      if (status !== 204) findings.broken.push(`the reset of ${handle} fails: ${text}`)
    }
    for (const id of erased) {
      const rows = `(select count(*) from posts where author_id = '${id}' and is_deleted = 0)
        + (select count(*) from contents where creator_id = '${id}')
        + (select count(*) from uploads where owner_id = '${id}')
        + (select count(*) from users where id = '${id}' and erased_at is null)`
      const n = await harness.number(rows)
      if (n > 0) findings.broken.push(`${n} rows of the erased user ${id}`)
    }
    for (const { user, id } of exporters) {
      const { exports } = dataOf(await user.at(server.url).get('/exports'))
      if (exports.length !== 1 || exports[0].id !== id || exports[0].status !== 'completed') {
        findings.broken.push(`export ${id}: ${JSON.stringify(exports)}`)
        continue
      }
      const link = new URL(exports[0].url, server.url)
      const answer = await fetch(server.url + link.pathname + link.search)
      const zip = await yauzl.fromBufferPromise(Buffer.from(await answer.arrayBuffer()))
      let posts = 0
      for await (const entry of zip.eachEntry()) {
        const chunks: Buffer[] = []
        for await (const chunk of await zip.openReadStreamPromise(entry))
          chunks.push(chunk as Buffer)
        const text = Buffer.concat(chunks).toString()
        if (entry.fileName === 'posts.jsonl') posts = text.split('\n').filter(Boolean).length
      }
      if (posts !== TEXTS) findings.broken.push(`export ${id} has ${posts} of ${TEXTS} posts`)
    }
    await harness.doctor()
    findings.acknowledged = resets.length + erased.length + exporters.length
    findings.notes.push(
      `${resets.length} mails (${repeated} sent again with the same Message-ID), ${erased.length} erasures, ${exporters.length} exports`,
    )
  },
}

function makerOf(harness: Harness, settings: Record<string, string>) {
  const config = readConfig({ ...harness.settings, ...settings })
  const passwords = new Passwords()
  let made = 0
  return (url: string, role: Role): Promise<Actor> =>
    harness.withDatabase((db) =>
      makeActor(url, { db, passwords, config } as Deps, systemClock, role, {
        handle: `killed_${++made}`,
      }),
    )
}

async function write(user: Actor): Promise<void> {
  const { id } = await makeUpload(user, await makePng())
  await makeContent(user, { upload_ids: [id] })
  for (let sent = 0; sent < TEXTS; sent += 20) await times(20, () => makePost(user))
}
