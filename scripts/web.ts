/** Builds the web client where it is not built from these sources yet: `npm run build`. */
import { relative } from 'node:path'
import { buildClient, ROOT } from '../src/web/build.ts'

try {
  const { folder, isNew } = await buildClient()
  const said = isNew ? 'The web client is built' : 'The web client was built from these sources'
  console.log(`${said}: ${relative(ROOT, folder)}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
