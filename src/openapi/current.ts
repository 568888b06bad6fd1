import { pino } from 'pino'
import { buildApp } from '../app.ts'
import { systemClock } from '../clock.ts'
import type { Deps } from '../deps.ts'
import { buildDocument } from './document.ts'

/** What openapi.json must hold for the routes as they are now; needs no database. */
export function currentDocument(): string {
  // Routes use what they depend on only when they are called, and here none is.
  const deps = {
    clock: systemClock,
    log: pino({ level: 'silent' }),
    config: { trustProxy: 0 },
    corsOrigins: [],
  } as unknown as Deps
  return `${JSON.stringify(buildDocument(buildApp(deps).routes), null, 2)}\n`
}
