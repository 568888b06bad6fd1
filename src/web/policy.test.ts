import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageHeaders } from './policy.ts'

test('allows no frames when the host is invalid', () => {
  for (const host of ['a;script-src *', "x 'unsafe-inline'", 'a,b', 'a"b', '*', '*.example', '']) {
    const headers = pageHeaders([], `http://${host}:3001`)
    assert.match(headers['content-security-policy'], /; frame-src 'none'; /, host)
  }
  for (const origin of [
    'http://127.0.0.1:3001',
    'http://[::1]:3001',
    'https://games.example.net',
  ]) {
    assert.ok(pageHeaders([], origin)['content-security-policy'].includes(`frame-src ${origin};`))
  }
})
