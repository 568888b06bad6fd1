import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { startApp } from '../../test/app.ts'
import { captchaToken } from '../../test/captcha.ts'
import { dataOf } from '../../test/make.ts'
import { freePort } from '../../scripts/postgres.ts'
import { temporaryFolder } from '../../test/files.ts'

const root = resolve(import.meta.dirname, '../..')
const app = await startApp()

test("runs the guide's program: it makes an app, a key and a webhook, and receives its first event", async () => {
  const account = {
    handle: 'mina',
    email: 'mina@example.test',
    password: 'a long walk by the river',
    captcha_token: await captchaToken(app.anon),
  }
  dataOf(await app.anon.post('/auth/register', account), 201)
  const guide = readFileSync(join(root, 'docs/sdk.md'), 'utf8')
  const section = guide.split(/^## /m).find((text) => text.startsWith('From an app')) ?? ''
  const program = /^```ts\n(.*?)^```$/ms.exec(section)?.[1] ?? ''
  const port = await freePort()
  const folder = temporaryFolder('plaza-example-')
  const file = join(folder, 'example.mts')
  const sdk = pathToFileURL(join(root, 'sdk/src/index.ts')).href
  writeFileSync(file, program.replace("'plaza-sdk'", `'${sdk}'`).replaceAll('4000', String(port)))
  const env = { ...process.env, PLAZA: app.url }
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [file], {
    env,
    timeout: 30_000,
  })
  assert.deepEqual([stdout, stderr], ['Published: Dawn over the river\n', ''])
  // The server records the delivery only after it has read the example's response.
  const listStatuses = async () =>
    (await app.sql('select status from webhook_deliveries')).map(({ status }) => status)
  for (let i = 0; i < 100 && (await listStatuses())[0] === 'pending'; i++) await sleep(50)
  assert.deepEqual(await listStatuses(), ['delivered'])
})
