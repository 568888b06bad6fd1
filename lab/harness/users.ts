import { addUser, newUser } from '../../src/auth/rules.ts'
import { readConfig } from '../../src/config.ts'
import type { Db } from '../../src/db/handle.ts'
import { migrate } from '../../src/db/migrate.ts'
import type { UserRow } from '../../src/db/tables.ts'
import { openSession } from '../../src/sessions/rules.ts'
import { SECRETS } from '../../bench/servers.ts'

/** Migrates the database and creates users, each with the token of a session that lasts a day. */
export async function makeUsers(db: Db, count: number, role: UserRow['role'] = 'user') {
  await migrate(db, Date.now)
  const config = readConfig({ ...SECRETS, ACCESS_TOKEN_TTL: '86400' })
  return db.transaction(async (tx) => {
    const made = []
    for (let i = 0; i < count; i++) {
      const handle = `person_${i}`
      const names = { handle, email: `${handle}@example.test`, display_name: handle }
      const user = newUser({ ...names, password_hash: 'none', role }, Date.now())
      await addUser(tx, user)
      const client = { ip: '127.0.0.1', userAgent: 'lab' }
      const { access_token } = await openSession(tx, config, user.id, client, Date.now())
      made.push({ user, token: access_token })
    }
    return made
  })
}
