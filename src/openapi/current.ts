import { pino } from 'pino'
import { buildApp } from '../app.ts'
import { systemClock } from '../clock.ts'
import type { Deps } from '../deps.ts'
import type { RouteRecord } from '../http/declaration.ts'
import { buildDocument } from './document.ts'
import { PLAIN_ROUTES } from './plain.ts'

/** The routes as they are now; needs no database. */
export function currentRoutes(): readonly RouteRecord[] {
  // Routes use what they depend on only when they are called, and here none is.
  const deps = {
    clock: systemClock,
    log: pino({ level: 'silent' }),
    config: { trustProxy: 0 },
    corsOrigins: [],
  } as unknown as Deps
  return buildApp(deps).routes
}

/** What openapi.json must hold for those routes. */
export function currentDocument(): string {
  return `${JSON.stringify(buildDocument(currentRoutes(), PLAIN_ROUTES), null, 2)}\n`
}
