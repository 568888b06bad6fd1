import { pino } from 'pino'
import { buildApp } from './app.ts'
import { systemClock } from './clock.ts'
import type { Deps } from './deps.ts'
import type { RouteRecord } from './http/declaration.ts'
import { buildDocument } from './openapi/document.ts'
import { PLAIN_ROUTES } from './openapi/plain.ts'

/** Returns the declared routes of this version, without opening a database. */
export function currentRoutes(): readonly RouteRecord[] {
  // Contains only the dependencies that declaring routes reads. Requests would need all of them.
  const deps = {
    clock: systemClock,
    log: pino({ level: 'silent' }),
    config: { trustProxy: 0 },
    corsOrigins: [],
  } as unknown as Deps
  return buildApp(deps).routes
}

/** Returns the required text of openapi.json for the current routes. */
export function currentDocument(): string {
  return `${JSON.stringify(buildDocument(currentRoutes(), PLAIN_ROUTES), null, 2)}\n`
}
