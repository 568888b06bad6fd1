/** Building blocks of all routes: the root route, parsers of query parameters, and session guards. */
import { createRootRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { whenConnected } from './device/connected.ts'
import { plaza } from './session/plaza.ts'
import { NotFound } from './shell/Failed.tsx'
import { Shell } from './shell/Shell.tsx'

export const root = createRootRoute({ component: Shell, notFoundComponent: () => <NotFound /> })
export const below = () => root
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => whenConnected(load), name)

/**
 * Returns a query parameter if it is one of the allowed words, else undefined. The first word is the default. It
 * also becomes undefined, so that the URL omits it.
 */
export function choice<const T extends string>(
  value: unknown,
  [, ...others]: readonly [string, ...T[]],
): T | undefined {
  return others.find((word) => word === value)
}

/** Returns a query parameter as text. The router has parsed numbers and booleans, so they are converted back. */
export const text = (value: unknown) =>
  ['string', 'number', 'boolean'].includes(typeof value) ? String(value) || undefined : undefined
/** Returns a page number above 1. Undefined for the first page, which the URL omits, and for other values. */
export const page = (value: unknown) =>
  Number.isInteger(value) && Number(value) > 1 ? Number(value) : undefined

export async function requireSession({ location }: { location: { href: string } }): Promise<void> {
  await plaza.ready
  if (!plaza.session) throw redirect({ to: '/sign-in', search: { then: location.href } })
}

/**
 * Requires a session only when the page opens. If the session ends later, saving asks the user to sign in, so
 * that no input is lost.
 */
export async function requireSessionAtFirst(navigation: {
  location: { href: string }
  cause: string
}) {
  if (navigation.cause !== 'stay') await requireSession(navigation)
}
