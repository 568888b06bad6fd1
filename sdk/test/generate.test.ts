import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Document, generate } from '../generate/generate.ts'
import type { Declaration } from '../generate/operations.ts'

const text = { type: 'string' }
const data = { type: 'object', required: ['ok'], properties: { ok: { type: 'boolean' } } }
const envelope = { type: 'object', properties: { data } }

function declared(over: Partial<Declaration> = {}): Declaration {
  return {
    operationId: 'setThingKind',
    tags: ['Things'],
    summary: 'Set a thing',
    security: [{ bearer: [] }],
    responses: { '200': { content: { 'application/json': { schema: envelope } } } },
    ...over,
  }
}

function documentOf(declaration: Declaration, method = 'post'): Document {
  return {
    paths: { '/api/v1/things/{id}': { [method]: declaration } },
    components: { schemas: {} },
  }
}

const inPath = { name: 'id', in: 'path' as const, required: true, schema: text }
const bodyOf = (properties: Record<string, object>, required: string[] = []) => ({
  content: { 'application/json': { schema: { type: 'object', required, properties } } },
})

test('generates a table line and types for an operation', () => {
  const written = generate(
    documentOf(
      declared({
        parameters: [inPath, { $ref: '#/components/parameters/IdempotencyKey' }],
        requestBody: bodyOf({ kind: { enum: ['a', 'b'], type: 'string', description: 'Which' } }),
      }),
    ),
  )
  assert.match(written, /setThingKind: 'things.setKind POST \/things\/\{id\} json once'/)
  assert.match(written, /\/\*\* Which \*\/\s+kind\?: 'a' \| 'b'\n/)
  assert.match(written, /things: \{\s+\/\*\* Set a thing\. \*\/\s+setKind: 'setThingKind'\s+\}/)
  assert.match(written, /ids: \[id: string\]/)
  assert.match(written, /data: \{\s+ok: boolean\s+\}/)
})

test('derives the group and the method from the tag and the operation id', () => {
  const members = [
    ['Things', 'listThings', 'things.list'],
    ['Things', 'toggleLike', 'things.toggleLike'],
    ['Things', 'markThingRead', 'things.markRead'],
    ['Legacy keys', 'revokeLegacyKey', 'legacyKeys.revoke'],
    ['Me', 'getMe', 'me.get'],
    ['Me', 'listMyLikes', 'me.listLikes'],
    ['Sessions', 'signIn', 'signIn'],
    ['Sessions', 'listSessions', 'sessions.list'],
  ] as const
  for (const [tag, operationId, member] of members) {
    const written = generate(documentOf(declared({ operationId, tags: [tag] })))
    assert.ok(written.includes(`${operationId}: '${member} POST `), member)
  }
})

test('rejects two operations with the same method', () => {
  const paths = {
    '/api/v1/things': { post: declared({ operationId: 'likeThing' }) },
    '/api/v1/others': { post: declared({ operationId: 'likeThings' }) },
  }
  assert.throws(
    () => generate({ paths, components: { schemas: {} } }),
    /likeThings is a second things\.like/,
  )
})

test('rejects operations whose input cannot be one flat object', () => {
  const query = { name: 'page', in: 'query' as const, schema: text }
  const refused: [Partial<Declaration>, RegExp, string?][] = [
    [{ parameters: [inPath, { ...query, name: 'id' }] }, /two parameters named id/],
    [{ parameters: [inPath, query], requestBody: bodyOf({ body: text }) }, /a query and a body/],
    [{ parameters: [inPath], requestBody: bodyOf({ id: text }) }, /two fields named id/],
    [{ parameters: [inPath], requestBody: bodyOf({ body: text }) }, /must not have/, 'get'],
    [{ parameters: [inPath, query] }, /which list/, 'get'],
    [{ requestBody: { content: { 'text/plain': { schema: text } } } }, /other than JSON/],
  ]
  for (const [over, message, method] of refused) {
    assert.throws(() => generate(documentOf(declared(over), method)), message)
  }
})

test('rejects an unknown schema type', () => {
  const strange = bodyOf({ body: { type: 'tuple' } })
  assert.throws(
    () => generate(documentOf(declared({ requestBody: strange }))),
    /unknown type tuple/,
  )
})
