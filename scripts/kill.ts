/** Kills servers under load for longer than the tests do: `npm run kill -- [sqlite|postgres] [rounds]`. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { startPrivatePostgres } from './postgres.ts'

const [engine = 'sqlite', rounds = '20'] = process.argv.slice(2)
if (!/^(sqlite|postgres)$/.test(engine) || !/^[1-9]\d{0,5}$/.test(rounds)) {
  console.error('Usage: npm run kill -- [sqlite|postgres] [rounds]')
  process.exit(2)
}
const server = engine === 'postgres' ? await startPrivatePostgres() : undefined
try {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../test/kill.test.ts')], {
    stdio: 'inherit',
    env: {
      ...process.env,
      TEST_ENGINE: engine,
      KILL_ROUNDS: rounds,
      ...(server && { TEST_DATABASE_URL: server.url }),
    },
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  process.exitCode = code ?? 1
} finally {
  await server?.stop()
}
