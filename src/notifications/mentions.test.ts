import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { suspend, times } from '../../test/make.ts'
import { findMentioned } from './mentions.ts'

const app = await startApp()

const mentioned = (text: string) => findMentioned(app.db, text)

test('finds a handle after @ in any case and next to any punctuation', async () => {
  const { id, handle } = await app.user()
  const texts = ['@h', 'hi @h!', '(@h)', '@h님 안녕', '안녕@h', 'one\n@h', '"@h"', '@h, @h', '—@h.']
  for (const text of texts) {
    assert.deepEqual(await mentioned(text.replaceAll('@h', `@${handle}`)), [id], text)
    assert.deepEqual(await mentioned(text.replaceAll('@h', `@${handle.toUpperCase()}`)), [id], text)
  }
})

test('ignores addresses, links, names on other servers and longer words', async () => {
  const { handle } = await app.user()
  const texts = [
    'me@h',
    '@@h',
    '@hx',
    '@h_',
    'https://x.example/@h',
    '@h@other.example',
    'h',
    '@ h',
  ]
  for (const text of texts) {
    assert.deepEqual(await mentioned(text.replaceAll('h', handle)), [], text)
  }
  assert.deepEqual(await mentioned(`@ @a @nobody_here_x @${'x'.repeat(31)}`), [])
  assert.deepEqual(await mentioned(''), [])
})

test('ignores suspended users', async () => {
  const gone = await app.user()
  await suspend(app, gone)
  assert.deepEqual(await mentioned(`@${gone.handle}`), [])
})

test('returns each user once, at most 20 users', async () => {
  const users = await times(21, () => app.user())
  const mentions = users.map(({ handle }) => `@${handle}`)
  const ids = await mentioned([...mentions, ...mentions.slice(0, 3)].join(' '))
  assert.deepEqual(
    ids.toSorted(),
    users
      .slice(0, 20)
      .map(({ id }) => id)
      .toSorted(),
  )
})
