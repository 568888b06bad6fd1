import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partsOf } from '../src/ui/linking.ts'

/** Returns the links and mentions in a text. Asserts that the joined parts equal the text. */
function leading(text: string): string[] {
  const parts = partsOf(text)
  assert.equal(parts.map((part) => part.text).join(''), text)
  return parts.flatMap((part) => {
    if (part.kind === 'mention') return [`@ ${part.handle}`]
    return part.kind === 'link' ? [part.href] : []
  })
}

test('a URL ends before a following particle, full stop or bracket', () => {
  assert.deepEqual(leading('https://example.com/a?b=1#c에서 봤어요'), [
    'https://example.com/a?b=1#c',
  ])
  assert.deepEqual(leading('보세요 (https://example.com/a).'), ['https://example.com/a'])
  assert.deepEqual(leading('http://example.com/a_(b)!'), ['http://example.com/a_(b)'])
  assert.deepEqual(leading('www.example.org.'), ['https://www.example.org'])
})

test('text that is not a web address stays text', () => {
  for (const text of [
    'javascript:alert(1)',
    'data:text/html,x',
    'https://',
    'http://...',
    'a.www.example.org',
    'example.com',
  ]) {
    assert.deepEqual(leading(text), [], text)
  }
})

test('mentions follow the server’s rule', () => {
  assert.deepEqual(leading('@Mina님과 (@jun_2), @ab @abc!'), ['@ mina', '@ jun_2', '@ abc'])
  for (const text of [
    'a@example.com',
    'x/@mina',
    '@mina@example.com',
    '@@mina',
    `@${'a'.repeat(31)}`,
  ]) {
    assert.deepEqual(leading(text), [], text)
  }
  assert.deepEqual(leading('https://example.com/@mina'), ['https://example.com/@mina'])
})

test('markup stays text', () => {
  assert.deepEqual(partsOf('<a href="x">\n</a>'), [{ kind: 'text', text: '<a href="x">\n</a>' }])
  assert.deepEqual(partsOf(''), [])
})
