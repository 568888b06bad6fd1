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
 * Returns a query parameter if it is an allowed word other than the first, else undefined. The first word is the
 * default, which URLs omit.
 */
export function choice<const T extends string>(
  value: unknown,
  [, ...others]: readonly [string, ...T[]],
): T | undefined {
  return others.find((word) => word === value)
}

/** Returns a query parameter as text. Converts numbers and booleans, which the router has parsed, back to text. */
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
 * Requires a session only when the page opens. If the session ends later, the page stays open, so that no input is
 * lost.
 */
export async function requireSessionAtFirst(navigation: {
  location: { href: string }
  cause: string
}) {
  if (navigation.cause !== 'stay') await requireSession(navigation)
}
