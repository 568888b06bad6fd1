#!/usr/bin/env node
// Uses only syntax that old versions of Node.js can parse, so that those versions can print the error below.
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const needed = [24, 15]
const found = process.versions.node.split('.').map(Number)

if (found[0] > needed[0] || (found[0] === needed[0] && found[1] >= needed[1])) {
  // The compile cache halves the start time. It contains executable code, so it is in node_modules, where
  // only the user who installed Plaza can write.
  const { enableCompileCache, flushCompileCache } = await import('node:module')
  enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/plaza', import.meta.url)))
  if (import.meta.url.includes('/node_modules/')) await import('./strip-types.mjs')
  const { main } = await import('../src/cli/main.ts')
  await main(process.argv.slice(2))
  flushCompileCache()
} else {
  const { runOnInstalledNode } = await import('./installed-node.mjs')
  if (!(await runOnInstalledNode())) {
    process.stderr.write(
      `Plaza needs Node.js ${needed.join('.')} or newer, and this is ${process.versions.node}. npm ci ` +
        'installs one on Linux and Windows; run it again without --omit=optional, or install a newer ' +
        'Node.js yourself.\n',
    )
    process.exitCode = 1
  }
}
