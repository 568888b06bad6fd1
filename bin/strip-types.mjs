// Node.js does not strip types from files below node_modules, where npm installs this package.
import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const root = new URL('..', import.meta.url).href

// The first call warns that the function is experimental, which is of no use to operators.
const { emitWarning } = process
process.emitWarning = () => {}
stripTypeScriptTypes('')
process.emitWarning = emitWarning

registerHooks({
  load(url, context, nextLoad) {
    const isOwn = url.startsWith(root) && !url.slice(root.length).includes('node_modules/')
    if (!isOwn || !url.endsWith('.ts')) return nextLoad(url, context)
    const source = stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'))
    return { format: 'module', source, shortCircuit: true }
  },
})
