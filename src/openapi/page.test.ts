import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { html } from './html.ts'
import { jsonExample } from './json.ts'
import { inline, markdown } from './markdown.ts'

/** Converts HTML to the text that a browser displays. Supports tags and five entities. */
function shown(source: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
  return source
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => entities[name] as string)
}

test('html escapes text so that it opens no tag', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const { html: source } = html`<p title="${text}">${text}</p>`
      assert.equal(source.match(/</g)?.length, 2)
      assert.equal(shown(source), text)
    }),
  )
})

test('jsonExample shows any value as its JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.equal(shown(jsonExample(value).html), JSON.stringify(value, null, 2))
    }),
  )
})

test('jsonExample marks property names and strings differently', () => {
  assert.equal(
    jsonExample({ a: 'b: "c"', n: 1 }).html,
    [
      '<pre tabindex="0"><code>{\n  <span class="name">&quot;a&quot;</span>: ',
      '<span class="text">&quot;b: \\&quot;c\\&quot;&quot;</span>,\n',
      '  <span class="name">&quot;n&quot;</span>: 1\n}</code></pre>',
    ].join(''),
  )
})

test('markdown renders headings, lists, fenced code and code spans, and escapes HTML', () => {
  const source = '## A b\n\nOne `<two>`\nthree <b>\n\n- x\n- y\n  z\n\n```json\n{\n\n}\n```'
  assert.deepEqual(
    markdown(source).map((block) => block.html),
    [
      '<h2 id="a-b">A b</h2>',
      '<p>One <code>&lt;two&gt;</code>\nthree &lt;b&gt;</p>',
      '<ul><li>x</li><li>y\n  z</li></ul>',
      '<pre tabindex="0"><code>{\n\n}</code></pre>',
    ],
  )
  assert.equal(inline('a `b` & c').html, 'a <code>b</code> &amp; c')
})
