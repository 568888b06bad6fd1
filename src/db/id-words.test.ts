import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { startApp } from '../../test/app.ts'
import { idAfter, timeInId } from './id-words.ts'
import { isId, newId, timeOf } from './ids.ts'
import { rawQuery, statement } from './statement.ts'

const app = await startApp()

const next = statement((q, p: { id: string; after: string | null }, dialect) => {
  const after = sql<string | null>`cast(${p.after} as text)`
  return rawQuery<{ id: string; time: number }>(
    q,
    sql`select id, ${timeInId(dialect, sql.ref('id'))} as time
      from (select ${idAfter(dialect, p.id, after)} as id) as made`,
  )
})

test('creates and reads ids in SQL exactly as in TypeScript', async () => {
  const now = Date.now()
  const ids = [now, now - 1, now + 1, now + 86_400_000, 0, 31, 2 ** 40 - 1, 2 ** 47].map((time) => {
    return newId('ntf', time)
  })
  for (const id of ids) {
    for (const after of [null, id, ...ids]) {
      const made = await app.db.first(next, { id, after })
      assert.ok(made)
      assert.ok(isId('ntf', made.id), made.id)
      assert.equal(made.time, timeOf(made.id))
      if (after === null || id > after) assert.equal(made.id, id)
      else {
        assert.ok(made.id > after)
        assert.equal(made.time, timeOf(after) + 1)
      }
    }
  }
})
