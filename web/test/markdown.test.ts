import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MarkedToken } from 'marked'
import { decode, isSafeLink, parse } from '../src/markdown/parse.ts'

const BODY_MAX = 100_000

test('allows links to the web, to mail addresses and within the site only', () => {
  for (const href of [
    'https://a.example/b',
    'HTTP://a.example',
    'mailto:a@b.example',
    '#part',
    '/rules',
  ])
    assert.ok(isSafeLink(href), href)
  for (const href of [
    'javascript:alert(1)',
    'java&#115;cript:alert(1)',
    ' javascript:alert(1)',
    '//other.example',
    '/\\other.example',
    '/\t/other.example',
    '/\n/other.example',
    'data:text/html,x',
    'rules',
  ])
    assert.ok(!isSafeLink(href), JSON.stringify(href))
})

test('replaces character references, and keeps unknown ones as text', () => {
  assert.equal(decode('&lt;b&gt; &amp;amp; &#39;&#x2014;&hellip;'), "<b> &amp; '—…")
  for (const text of ['&constructor;', '&toString;', '&unknown;', '&#0;', '&#x110000;', '& ;'])
    assert.equal(decode(text), text)
})

test('parses formatting, and HTML as text', () => {
  const [paragraph] = parse('**Be** <img src=x> kind') as MarkedToken[]
  assert.ok(paragraph?.type === 'paragraph')
  assert.deepEqual(
    paragraph.tokens.map(({ type, raw }) => [type, raw]),
    [
      ['strong', '**Be**'],
      ['text', ' <img src=x> kind'],
    ],
  )
})

test('parses hostile texts of the maximum length in bounded time and depth', () => {
  const nested = Array.from({ length: 300 }, (_, depth) => `${' '.repeat(2 * depth)}- a`).join('\n')
  for (const text of [
    '> '.repeat(BODY_MAX / 2),
    '- '.repeat(BODY_MAX / 2),
    nested,
    '_a_'.repeat(BODY_MAX / 3),
    `${'_a_'.repeat(1600)}\n\n`.repeat(20),
    `${'*_'.repeat(1200)}a${'_*'.repeat(1200)}`,
    '['.repeat(BODY_MAX),
    `${'[a'.repeat(1000)}${'](/b)'.repeat(600)}`,
  ]) {
    const before = process.cpuUsage()
    const tokens = parse(text)
    const ms = process.cpuUsage(before).user / 1000
    assert.ok(ms < 5000, `${Math.round(ms)} ms for ${text.slice(0, 20)}`)
    assert.ok(depthOf(tokens) < 120, text.slice(0, 20))
  }
})

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}
