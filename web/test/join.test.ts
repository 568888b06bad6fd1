import assert from 'node:assert/strict'
import { test } from 'node:test'
import { looksLikeEmail, wrongHandle } from '../src/join/rules.ts'
import { lengthOf } from '../src/language/length.ts'
import { placeAfter } from '../src/join/then.ts'

const ORIGIN = 'https://plaza.example.com'

test('After signing in one goes on to the page of this client that was asked for', () => {
  assert.equal(placeAfter('/library?list=likes#x', ORIGIN), '/library?list=likes#x')
  assert.equal(placeAfter('/contents/cnt_1', ORIGIN), '/contents/cnt_1')
})

test('Nothing in an address leads anybody away after signing in', () => {
  for (const then of [
    undefined,
    '',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    'library',
    ' //evil.example',
  ]) {
    assert.equal(placeAfter(then, ORIGIN), '/', JSON.stringify(then))
  }
})

test('Signing in does not lead back to signing in, nor out of the client', () => {
  for (const then of ['/sign-in', '/sign-in?then=%2F', '/sign-up', '/api/v1/feeds', '/uploads/a']) {
    assert.equal(placeAfter(then, ORIGIN), '/', then)
  }
  assert.equal(placeAfter('/sign-inside', ORIGIN), '/sign-inside')
})

test('A handle has 3 to 30 small letters, figures and underscores', () => {
  assert.equal(wrongHandle('a_1'), undefined)
  assert.equal(wrongHandle('a'.repeat(30)), undefined)
  assert.equal(wrongHandle('ab'), 'short')
  assert.equal(wrongHandle('a'.repeat(31)), 'long')
  assert.equal(wrongHandle('한글이름'), 'characters')
  assert.equal(wrongHandle('a-b'), 'characters')
})

test('A slip in an e-mail address is found, and lengths count characters', () => {
  assert.ok(looksLikeEmail('someone@example.com'))
  assert.ok(!looksLikeEmail('someone.example.com'))
  assert.ok(!looksLikeEmail('some one@example.com'))
  assert.equal(lengthOf('👍👍'), 2)
  assert.equal(lengthOf('한'), 1)
})
