import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { makeContent, makePost } from '../../test/make.ts'
import { readPage, servePages } from '../../test/pages.ts'
import { drawing, makeUpload } from '../../test/uploads.ts'

const app = await startApp()
const url = await servePages(app)
await app.admin()
const mina = await app.user({ handle: 'mina', display_name: 'Mina' })
const visit = (path: string) => readPage(url, path)

async function makePicture(over: object) {
  const upload = await makeUpload(mina, await drawing(64).png().toBuffer())
  return makeContent(mina, { upload_ids: [upload.id], ...over })
}

test('a page begins with the picture, title, author and text of its content', async () => {
  const { id } = await makePicture({ title: 'River', description: 'At\nnight' })
  const { opening } = await visit(`/contents/${id}`)
  assert.match(
    opening,
    /^<img src="\/uploads\/[^"]*"[^>]*>\n<p class="title">River<\/p>\n<p>Mina<\/p>\n<p>At<br>night<\/p>$/,
  )
})

test('the opening contains at most 900 characters, and no paragraphs with Markdown', async () => {
  const bodies = ['a'.repeat(1000), '# Heading\n\nPlain.\n\n**Bold**']
  const [long, marked] = await Promise.all(
    bodies.map((body) => makeContent(mina, { type: 'article', title: 'Thing', body })),
  )
  const { opening } = await visit(`/contents/${long?.id}`)
  assert.ok(opening.includes('a'.repeat(900)) && !opening.includes('a'.repeat(901)))
  assert.equal(
    (await visit(`/contents/${marked?.id}`)).opening,
    '<p class="title">Thing</p>\n<p>Mina</p>\n<p>Plain.</p>',
  )
})

test('the opening of a post contains its text once', async () => {
  const post = await makePost(mina, 'A new film tonight')
  const { opening } = await visit(`/posts/${post.id}`)
  assert.equal(opening, '<p>Mina</p>\n<p>A new film tonight</p>')
})

test('adult and flashing content has no opening and no preload', async () => {
  for (const over of [{ rating: 'adult' }, { warnings: ['flashing'] }]) {
    const { id } = await makePicture({ description: 'Text', ...over })
    const { opening, html } = await visit(`/contents/${id}`)
    assert.equal(opening, '')
    assert.doesNotMatch(html, /rel="preload" as="image"/)
  }
})
