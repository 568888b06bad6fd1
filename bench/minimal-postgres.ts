/** Runs the hand-written handlers on PostgreSQL with prepared statements and one transaction per write. */
import pg from 'pg'
import { type Ask, reads, type Content, writes } from './minimal-handlers.ts'
import type { KeyHolder, User, Request } from './minimal-rows.ts'
import { SQL } from './minimal-sql.ts'

pg.types.setTypeParser(20, Number)
pg.types.setTypeParser(1700, Number)

export function postgresHandlers(url: string) {
  const pool = new pg.Pool({ connectionString: url, max: 10 })

  async function run(on: pg.Pool | pg.PoolClient, ask: Ask): Promise<unknown> {
    const { name, values, gives, lock } = ask
    const text = SQL[name].replaceAll('json_each($1)', 'json_array_elements_text($1::json)')
    const query = lock
      ? { name: `lock ${name}`, text: `${text} for update of ${lock}`, values }
      : { name, text, values }
    const { rows, rowCount } = await on.query(query)
    return gives === 'row' ? rows[0] : gives === 'rows' ? rows : rowCount === 1
  }

  async function perform(on: pg.Pool | pg.PoolClient, content: Content): Promise<unknown> {
    let step = content.next()
    while (step.done !== true) step = content.next(await run(on, step.value))
    return step.value
  }

  async function write(content: Content): Promise<unknown> {
    const client = await pool.connect()
    try {
      await client.query('begin')
      const result = await perform(client, content)
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback')
      throw error
    } finally {
      client.release()
    }
  }

  const row = (name: 'viewer' | 'keyHolder', ...values: (string | number)[]) =>
    run(pool, { name, values, gives: 'row' })
  return {
    viewer: (session: string, hash: string, now: number) =>
      row('viewer', session, hash, now) as Promise<User | undefined>,
    keyHolder: (hash: string, now: number) =>
      row('keyHolder', hash, now) as Promise<KeyHolder | undefined>,
    read: (name: keyof typeof reads, request: Request) => perform(pool, reads[name](request)),
    write: (name: keyof typeof writes, request: Request) => write(writes[name](request)),
  }
}
