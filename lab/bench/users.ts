import { addUser, newUser } from '../../src/auth/rules.ts'
import type { Db } from '../../src/db/handle.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openDatabase } from '../../src/db/open.ts'
import type { UserRow } from '../../src/db/tables.ts'
import { openSession } from '../../src/sessions/rules.ts'
import { SECRETS } from '../../bench/servers.ts'

/** Migrates the database and creates users, each with the token of a session. */
export async function makeUsers(db: Db, count: number, role: UserRow['role'] = 'user') {
  await migrate(db, Date.now)
  const ttl = { accessTokenTtl: 86_400, refreshTokenTtl: 86_400 }
  const settings = { tokenSecret: SECRETS.TOKEN_SECRET, ...ttl }
  const client = { ip: '127.0.0.1', userAgent: 'bench' }
  return db.transaction(async (tx) => {
    const made = []
    for (let i = 0; i < count; i++) {
      const handle = `person_${i}`
      const names = { handle, email: `${handle}@example.test`, display_name: handle }
      const user = newUser({ ...names, password_hash: '', role }, Date.now())
      await addUser(tx, user)
      const { access_token } = await openSession(tx, settings, user.id, client, Date.now())
      made.push({ user, token: access_token })
    }
    return made
  })
}

/** Creates users in the database of a data folder. Returns their tokens. */
export async function makeTokens(
  dataDir: string,
  ...users: [count: number, role?: UserRow['role']]
) {
  const db = openDatabase({ databaseUrl: undefined, dataDir })
  try {
    return (await makeUsers(db, ...users)).map(({ token }) => token)
  } finally {
    await db.close()
  }
}
