/** Where to go once somebody has signed in. */

/**
 * The path of this client that `then` asks for; home where it asks for none, for somewhere else or for
 * the pages one comes from. Whoever writes the address of a link decides `then`, so nothing in it may
 * lead away.
 */
export function placeAfter(then: string | undefined, origin: string): string {
  if (!then || !URL.canParse(then, origin) || !then.startsWith('/')) return '/'
  const url = new URL(then, origin)
  const isAway = url.origin !== origin || url.pathname.startsWith('//')
  if (isAway || /^\/(sign-in|sign-up|api|uploads)(\/|$)/.test(url.pathname)) return '/'
  return url.pathname + url.search + url.hash
}
