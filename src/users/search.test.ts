import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { dataOf, idsOf } from '../../test/make.ts'
import { foldedSearch } from '../db/migrations/023-folded-search.ts'
import { WORDS } from '../db/migrations/words.ts'
import { foldCase } from './schema.ts'

const app = await startApp()
const admin = await app.admin()
const NAMES = [
  'ΟΔΥΣΣΕΥΣ ΙΘΑΚΗ',
  'οδυσσεύς',
  'Straße',
  'ISPARTA',
  'ısparta',
  'İzmir',
  'ǅungla',
  '미나 Ω',
]

const find = async (q: string) => {
  const answer = await admin.get(`/admin/users?per_page=100&q=${encodeURIComponent(q)}`)
  return idsOf(dataOf(answer).users)
}

test('finds a user by any prefix of a stored name, in any case', async () => {
  for (const display_name of NAMES) {
    const { id } = await app.user({ display_name })
    const letters = [...display_name]
    for (let length = 1; length <= letters.length; length++) {
      const prefix = letters.slice(0, length).join('').trim()
      for (const q of [prefix, prefix.toLowerCase(), prefix.toUpperCase()]) {
        assert.ok((await find(q)).includes(id), `${q} of ${display_name}`)
      }
    }
  }
})

test('finds names that an earlier version stored after the migration', async () => {
  for (const display_name of NAMES) {
    const { id, handle, email } = await app.user({ display_name })
    const former = [handle, display_name, email, id].join('\n').toLowerCase()
    await app.sql(`update users set search_text = '${former}' where id = '${id}'`)
    for (const text of foldedSearch.up(WORDS[app.db.engine])) await app.sql(text)
    assert.equal(
      await app.value(`select search_text from users where id = '${id}'`),
      foldCase([handle, display_name, email, id].join('\n')),
    )
  }
})
