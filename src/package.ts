import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'

const ROOT = dirname(import.meta.dirname)

export const VERSION: string = createRequire(import.meta.url)('../package.json').version

/** True when this project runs from an npm package below node_modules, not from a clone. */
export const IS_PACKAGE = ROOT.split(sep).includes('node_modules')

/** Arguments for a child process that runs a TypeScript file of this project. */
export const STRIP_TYPES: readonly string[] = IS_PACKAGE
  ? ['--import', pathToFileURL(join(ROOT, 'bin/strip-types.mjs')).href]
  : []
