/** Runs the hand-written handlers on SQLite with one connection and one commit per write. */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { reads, type Value, type Content, writes } from './minimal-handlers.ts'
import type { KeyHolder, User, Request } from './minimal-rows.ts'
import { SQL, type SqlName } from './minimal-sql.ts'

export function sqliteHandlers(file: string) {
  const db = new DatabaseSync(file)
  db.exec(
    'pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma temp_store = memory; pragma cache_size = -65536; pragma mmap_size = 1073741824',
  )
  const q = Object.fromEntries(
    Object.entries(SQL).map(([name, text]) => [name, db.prepare(text.replaceAll('$', '?'))]),
  ) as Record<SqlName, StatementSync>
  const begin = db.prepare('begin immediate')
  const commit = db.prepare('commit')
  const rollback = db.prepare('rollback')

  const row = (name: SqlName, values: Value[]): unknown => q[name].get(...values)

  function perform(content: Content): unknown {
    let step = content.next()
    while (step.done !== true) {
      const { name, values, gives } = step.value
      step = content.next(
        gives === 'row'
          ? row(name, values)
          : gives === 'rows'
            ? q[name].all(...values)
            : q[name].run(...values).changes === 1,
      )
    }
    return step.value
  }

  function write(content: Content): unknown {
    begin.run()
    try {
      const result = perform(content)
      commit.run()
      return result
    } catch (error) {
      rollback.run()
      throw error
    }
  }

  return {
    viewer: (session: string, hash: string, now: number) =>
      row('viewer', [session, hash, now]) as User | undefined,
    keyHolder: (hash: string, now: number) =>
      row('keyHolder', [hash, now]) as KeyHolder | undefined,
    read: (name: keyof typeof reads, request: Request) => perform(reads[name](request)),
    write: (name: keyof typeof writes, request: Request) => write(writes[name](request)),
  }
}
