/**
 * Builds the web client. Exits when its standard input closes, so that it does not outlive the process that
 * started it.
 */
import { join } from 'node:path'
import { build } from 'vite'
import { compressTexts } from './compress.ts'

process.stdin.on('end', () => process.exit(1)).resume()
const [root = '', folder = ''] = process.argv.slice(2)
const web = join(root, 'web')
try {
  await build({
    root: web,
    configFile: join(web, 'vite.config.ts'),
    configLoader: 'native',
    mode: 'production',
    logLevel: 'warn',
    build: { outDir: folder, emptyOutDir: true },
  })
  await compressTexts(folder)
  process.exitCode = 0
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
// Standard input would otherwise keep the process running.
process.stdin.destroy()
