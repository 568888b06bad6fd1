import { createRequire } from 'node:module'

/** The version of Plaza that runs. */
export const VERSION: string = createRequire(import.meta.url)('../package.json').version
