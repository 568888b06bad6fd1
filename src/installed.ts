/** Detects whether this project runs from an npm package below node_modules or from a clone. */
import { dirname, join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'

const ROOT = dirname(import.meta.dirname)

/** True when this project runs from an installed npm package. */
export const IS_PACKAGE = ROOT.split(sep).includes('node_modules')

/** Node.js arguments for a child process that runs a TypeScript file of this project. */
export const STRIP_TYPES: readonly string[] = IS_PACKAGE
  ? ['--import', pathToFileURL(join(ROOT, 'bin/strip-types.mjs')).href]
  : []
