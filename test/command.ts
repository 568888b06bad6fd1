import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import type { Db } from '../src/db/handle.ts'
import { openDatabase } from '../src/db/open.ts'
import { newPlace, type Place, settingsOf } from './app.ts'

const ENTRY = resolve(import.meta.dirname, '../bin/plaza.mjs')

export interface Outcome {
  code: number
  out: string
  err: string
}

export type Plaza = (...args: string[]) => Promise<Outcome>

export function plazaOn(place: Place, more: Record<string, string> = {}): Plaza {
  const env = { ...process.env, ...settingsOf(place), ...more }
  return (...args) =>
    new Promise((done) => {
      execFile(process.execPath, [ENTRY, ...args], { env }, (error, out, err) => {
        done({ code: error ? Number(error.code ?? 1) : 0, out, err })
      })
    })
}

/**
 * Creates a database without a schema for the tests of this file. Returns functions that use it. `plaza` runs a
 * command. `look` passes the open database to a function. `sql` returns the rows of the last statement.
 */
export async function startCommand() {
  const place = await newPlace()
  const look = async <T>(action: (db: Db) => Promise<T>): Promise<T> => {
    const db = openDatabase(place)
    try {
      return await action(db)
    } finally {
      await db.close()
    }
  }
  return {
    ...place,
    plaza: plazaOn(place),
    look,
    sql: (...texts: string[]) =>
      look(async (db) => {
        let rows: Record<string, unknown>[] = []
        await db.script(async (run) => {
          for (const text of texts) rows = await run(text)
        })
        return rows
      }),
  }
}
