import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'

const english = await startApp({ DEFAULT_LANGUAGE: 'en' })

test('answers in DEFAULT_LANGUAGE only when a client names no supported language', async () => {
  const languageOf = async (sent?: string) => {
    const headers: Record<string, string> = sent === undefined ? {} : { 'accept-language': sent }
    return (await english.anon.get('/nope', { headers })).headers.get('content-language')
  }
  assert.equal(await languageOf(), 'en')
  assert.equal(await languageOf('fr'), 'en')
  assert.equal(await languageOf('ko'), 'ko')
  assert.equal(await languageOf('fr, ko;q=0.1'), 'ko')
})
