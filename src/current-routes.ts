import { pino } from 'pino'
import { buildApp } from './app.ts'
import { systemClock } from './clock.ts'
import type { Deps } from './deps.ts'
import type { RouteRecord } from './http/declaration.ts'
import { buildDocument } from './openapi/document.ts'
import { PLAIN_ROUTES } from './openapi/plain.ts'

/** Returns the route declarations of this version, without opening a database. */
export function currentRoutes(): readonly RouteRecord[] {
  // Declaring routes reads only these dependencies. Only serving requests needs the rest of `Deps`.
  const deps = {
    clock: systemClock,
    log: pino({ level: 'silent' }),
    config: { trustProxy: 0 },
    corsOrigins: [],
  } as unknown as Deps
  return buildApp(deps).routes
}

/** Returns the text that openapi.json must have for the current routes. */
export function currentDocument(): string {
  return `${JSON.stringify(buildDocument(currentRoutes(), PLAIN_ROUTES), null, 2)}\n`
}
