import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from './files.ts'

const skip = process.platform !== 'linux'
const folder = temporaryFolder('plaza-node-')
const bin = join(folder, 'bin')
cpSync(resolve(import.meta.dirname, '../bin'), bin, { recursive: true })

const older = join(folder, 'older.mjs')
writeFileSync(
  older,
  `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.2' } })\n`,
)

function start(...args: string[]) {
  const command = ['--max-semi-space-size=8', '--import', older, join(bin, 'plaza.mjs'), ...args]
  const child = spawn(process.execPath, command, { env: { PATH: '/usr/bin:/bin' } })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => (said += data.toString()))
  }
  return { child, ended: once(child, 'close'), said: () => said }
}

test('prints both versions when no newer Node.js is installed', { skip }, async () => {
  const { ended, said } = start('doctor')
  assert.deepEqual((await ended)[0], 1)
  assert.match(said(), /^Plaza needs Node\.js 24\.15 or newer, and this is 20\.19\.2\. .*\n$/)
})

test('runs the installed Node.js with the same flags, arguments, signals and exit code', {
  skip,
}, async () => {
  const node = join(folder, `node_modules/node-linux-${process.arch}/bin/node`)
  mkdirSync(dirname(node), { recursive: true })
  writeFileSync(
    node,
    '#!/bin/sh\ntrap "echo ended; exit 7" TERM\necho "$@"\nwhile :; do sleep 0.1; done\n',
  )
  chmodSync(node, 0o755)
  const { child, ended, said } = start('user', 'create', '--handle', 'a b')
  while (!said().includes('\n')) await new Promise((done) => setTimeout(done, 20))
  child.kill('SIGTERM')
  assert.deepEqual((await ended)[0], 7)
  assert.match(said(), /^--max-semi-space-size=8 .*plaza\.mjs user create --handle a b\nended\n$/)
})
