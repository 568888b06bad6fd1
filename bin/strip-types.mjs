// Strips types from this package's files. Node.js itself refuses to do so for files in node_modules.
import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const root = new URL('..', import.meta.url).href

// Hides the warning that stripTypeScriptTypes is experimental, because operators cannot act on it.
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
