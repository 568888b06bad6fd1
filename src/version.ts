import { createRequire } from 'node:module'

/** The running version of Plaza. */
export const VERSION: string = createRequire(import.meta.url)('../package.json').version
