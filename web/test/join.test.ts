import assert from 'node:assert/strict'
import { test } from 'node:test'
import { looksLikeEmail, placeAfter, wrongHandle } from '../src/join/rules.ts'
import { lengthOf } from '../src/language/length.ts'

const ORIGIN = 'https://plaza.example.com'

test('signing in leads to the requested page of this client', () => {
  assert.equal(placeAfter('/library?list=likes#x', ORIGIN), '/library?list=likes#x')
  assert.equal(placeAfter('/contents/cnt_1', ORIGIN), '/contents/cnt_1')
})

test('no address leads to another origin after signing in', () => {
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

test('signing in does not lead to the sign-in page or to server paths', () => {
  for (const then of ['/sign-in', '/sign-in?then=%2F', '/sign-up', '/api/v1/feeds', '/uploads/a']) {
    assert.equal(placeAfter(then, ORIGIN), '/', then)
  }
  assert.equal(placeAfter('/sign-inside', ORIGIN), '/sign-inside')
})

test('a handle has 3 to 30 lower-case letters, digits and underscores', () => {
  assert.equal(wrongHandle('a_1'), undefined)
  assert.equal(wrongHandle('a'.repeat(30)), undefined)
  assert.equal(wrongHandle('ab'), 'short')
  assert.equal(wrongHandle('a'.repeat(31)), 'long')
  assert.equal(wrongHandle('한글이름'), 'characters')
  assert.equal(wrongHandle('a-b'), 'characters')
})

test('typing slips in an email address are found, and lengths count code points', () => {
  assert.ok(looksLikeEmail('someone@example.com'))
  assert.ok(!looksLikeEmail('someone.example.com'))
  assert.ok(!looksLikeEmail('some one@example.com'))
  assert.equal(lengthOf('👍👍'), 2)
  assert.equal(lengthOf('한'), 1)
})
