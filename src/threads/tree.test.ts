/**
 * Tests the rules that comments and posts share: counts and order after random histories and under parallel
 * writes.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Actor, startApp } from '../../test/app.ts'
import { dataOf, makeComment, makeContent, makePost, times } from '../../test/make.ts'
import type { Tx } from '../db/handle.ts'
import { treeOf } from './tree.ts'

const DEPTH = 24

const app = await startApp()
const author = await app.user()

interface Node {
  id: string
  parent: Node | undefined
  replies: Node[]
  isDeleted: boolean
}

interface World {
  first: string
  reply(caller: Caller, parentId: string): Promise<string | undefined>
  remove(caller: Caller, id: string): Promise<{ status: number }>
  assertShows(nodes: Node[]): Promise<void>
}

type Caller = Pick<Actor, 'post' | 'delete'>

function cyclic<T>(list: readonly T[], index: number): T {
  const found = list[index % list.length]
  assert.ok(found !== undefined)
  return found
}

const isListed = (node: Node): boolean => !node.isDeleted || node.replies.some(isListed)
const shownAs = (node: Node) => ({
  id: node.id,
  parent_id: node.parent?.id ?? null,
  is_deleted: node.isDeleted,
  author: node.isDeleted ? null : author.id,
  reply_count: node.replies.filter((reply) => !reply.isDeleted).length,
})
const pick = (row: ReturnType<typeof shownAs> & { author: { id: string } | null }) => ({
  id: row.id,
  parent_id: row.parent_id,
  is_deleted: row.is_deleted,
  author: row.author?.id ?? null,
  reply_count: row.reply_count,
})

async function commentWorld(): Promise<World> {
  const { id: contentId } = await makeContent(author)
  const listOf = async (query: string) => {
    const path = `/contents/${contentId}/comments?per_page=100${query}`
    const { comments, pagination } = dataOf(await app.anon.get(path))
    assert.equal(pagination.total, comments.length, `total of ${path}`)
    return comments.map(pick)
  }
  return {
    first: (await makeComment(author, contentId)).id,
    reply: async (caller, parent_id) => {
      const answer = await caller.post(`/contents/${contentId}/comments`, { body: 'x', parent_id })
      assert.ok(answer.status === 201 || answer.status === 422, answer.text)
      return answer.data?.comment.id
    },
    remove: (caller, id) => caller.delete(`/comments/${id}`),
    async assertShows(nodes) {
      const listed = nodes.filter(isListed)
      assert.deepEqual(await listOf(''), listed.map(shownAs))
      assert.deepEqual(
        await listOf('&parent_id=none'),
        listed.filter((node) => !node.parent).map(shownAs),
      )
      for (const node of nodes) {
        const replies = node.replies.filter(isListed)
        assert.deepEqual(await listOf(`&parent_id=${node.id}`), replies.map(shownAs))
      }
      const { content } = dataOf(await app.anon.get(`/contents/${contentId}`))
      assert.equal(content.comment_count, nodes.filter((node) => !node.isDeleted).length)
    },
  }
}

async function postWorld(): Promise<World> {
  return {
    first: (await makePost(author)).id,
    reply: async (caller, parentId) => {
      const answer = await caller.post(`/posts/${parentId}/replies`, { body: 'x' })
      assert.ok(answer.status === 201 || answer.status === 404, answer.text)
      return answer.data?.post.id
    },
    remove: (caller, id) => caller.delete(`/posts/${id}`),
    async assertShows(nodes) {
      for (const node of nodes) {
        const thread = await app.anon.get(`/posts/${node.id}/thread?limit=100`)
        assert.equal(thread.status, isListed(node) ? 200 : 404)
        if (thread.status === 404) continue
        const above: Node[] = []
        for (let up = node.parent; up; up = up.parent) above.unshift(up)
        assert.deepEqual(thread.data.ancestors.map(pick), above.map(shownAs))
        assert.deepEqual(pick(thread.data.post), shownAs(node))
        assert.deepEqual(thread.data.replies.map(pick), node.replies.filter(isListed).map(shownAs))
      }
    },
  }
}

async function wrongRows(table: string) {
  return app.sql(`
    select t.id from ${table} t
    where t.reply_count <> (select count(*) from ${table} r where r.parent_id = t.id and r.is_deleted = 0)
       or t.listed_reply_count <> (select count(*) from ${table} r where r.parent_id = t.id and r.is_listed = 1)
       or t.is_listed <> case when t.is_deleted = 0 or t.listed_reply_count > 0 then 1 else 0 end`)
}

async function wrongTotals() {
  return app.sql(`
    select s.content_id from content_stats s
    where s.comment_count <> (select count(*) from comments c where c.content_id = s.content_id and c.is_deleted = 0)
       or s.listed_comment_count <> (select count(*) from comments c where c.content_id = s.content_id and c.is_listed = 1)
       or s.top_comment_count <> (select count(*) from comments c where c.content_id = s.content_id and c.is_listed = 1 and c.parent_id is null)`)
}

async function removeAndUndo(table: 'comments' | 'posts', id: string) {
  const undone = new Error('undone')
  let statements = 0
  let removal: unknown
  const counted = (tx: Tx): Tx => ({
    ...tx,
    all: (...asked) => (statements++, tx.all(...asked)),
    first: (...asked) => (statements++, tx.first(...asked)),
    run: (...asked) => (statements++, tx.run(...asked)),
    send: (...asked) => (statements++, tx.send(...asked)),
  })
  const deletion = app.db.transaction(async (tx) => {
    statements = 0
    removal = await treeOf(table).remove(counted(tx), id, author.id)
    throw undone
  })
  await assert.rejects(deletion, undone)
  return { removal, statements }
}

const step = fc.record({ act: fc.constantFrom('reply', 'reply', 'remove'), dialect: fc.nat() })

for (const [table, makeWorld] of [
  ['comments', commentWorld],
  ['posts', postWorld],
] as const) {
  describe(table, () => {
    test('keeps lists and counts equal to the rows after random replies and deletions', async () => {
      const history = fc.array(step, { minLength: 5, maxLength: 20 })
      const property = fc.asyncProperty(history, async (steps) => {
        const world = await makeWorld()
        const first: Node = { id: world.first, parent: undefined, replies: [], isDeleted: false }
        const nodes = [first]
        for (const { act, dialect } of steps) {
          const node = cyclic(nodes, dialect)
          if (act === 'remove') {
            const { status } = await world.remove(author, node.id)
            assert.equal(status, node.isDeleted ? 404 : 204)
            node.isDeleted = true
            continue
          }
          const id = await world.reply(author, node.id)
          assert.equal(id !== undefined, !node.isDeleted)
          if (id === undefined) continue
          const reply: Node = { id, parent: node, replies: [], isDeleted: false }
          node.replies.push(reply)
          nodes.push(reply)
        }
        await world.assertShows(nodes)
      })
      await fc.assert(property, { numRuns: 12 })
      assert.deepEqual(await wrongRows(table), [])
      assert.deepEqual(await wrongTotals(), [])
    })

    test('keeps counts equal to the rows when two processes reply and delete in parallel', async () => {
      const second = await app.sibling()
      const callers: Caller[] = [author, author.at(second.url)]
      const world = await makeWorld()
      const ids = [world.first]
      for (let round = 0; round < 3; round++) {
        const made = await times(24, async (i) => {
          const [caller, id] = [cyclic(callers, i), cyclic(ids, i * 7 + round)]
          if (i % 3 < 2) return world.reply(caller, id)
          const { status } = await world.remove(caller, id)
          assert.ok(status === 204 || status === 404, `status ${status}`)
          return undefined
        })
        ids.push(...made.filter((id) => id !== undefined))
        assert.deepEqual(await wrongRows(table), [])
        assert.deepEqual(await wrongTotals(), [])
      }
      await times(ids.length, (i) => world.remove(cyclic(callers, i), cyclic(ids, i)))
      assert.deepEqual(await wrongRows(table), [])
      assert.deepEqual(await wrongTotals(), [])
      assert.equal(
        await app.count(`${table} where is_listed = 1
        and (id = '${world.first}' or root_id = '${world.first}')`),
        0,
      )
      await second.close()
    })

    test('removes a chain of deleted rows with the last reply below it in two statements', async () => {
      for (const stays of [true, false]) {
        const world = await makeWorld()
        const nodes: Node[] = [
          { id: world.first, parent: undefined, replies: [], isDeleted: false },
        ]
        for (let depth = 1; depth < DEPTH; depth++) {
          const parent = nodes[depth - 1] as Node
          const id = await world.reply(author, parent.id)
          assert.ok(id !== undefined)
          const node = { id, parent, replies: [], isDeleted: false }
          parent.replies.push(node)
          nodes.push(node)
        }
        const last = nodes[DEPTH - 1] as Node
        for (const node of nodes.slice(stays ? 1 : 0, -1)) {
          assert.equal((await world.remove(author, node.id)).status, 204)
          node.isDeleted = true
        }
        await world.assertShows(nodes)

        const { removal, statements } = await removeAndUndo(table, last.id)
        assert.equal(removal, true)
        assert.equal(statements, 2)
        assert.equal((await world.remove(author, last.id)).status, 204)
        last.isDeleted = true
        await world.assertShows(nodes)
      }
      assert.deepEqual(await wrongRows(table), [])
      assert.deepEqual(await wrongTotals(), [])
    })

    test('deletes a row once under parallel requests', async () => {
      const world = await makeWorld()
      const answers = await times(6, () => world.remove(author, world.first))
      const statuses = answers.map(({ status }) => status).sort((a, b) => a - b)
      assert.deepEqual(statuses, [204, 404, 404, 404, 404, 404])
      assert.deepEqual(await wrongTotals(), [])
    })
  })
}
