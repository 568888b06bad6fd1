#!/usr/bin/env node
// Plain JavaScript that older versions of Node can parse too, so that they get to the refusal.
import process from 'node:process'

const needed = [24, 15]
const found = process.versions.node.split('.').map(Number)

if (found[0] > needed[0] || (found[0] === needed[0] && found[1] >= needed[1])) {
  const { main } = await import('../src/cli/main.ts')
  await main(process.argv.slice(2))
} else {
  process.stderr.write(
    `Plaza needs Node.js ${needed.join('.')} or newer, and this is ${process.versions.node}: ` +
      'start it through npm (npm start, npm run plaza), which uses the Node.js that npm ci ' +
      'installed; where npm has none for this machine, install a newer Node.js yourself.\n',
  )
  process.exitCode = 1
}
