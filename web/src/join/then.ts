/**
 * Returns the path to open after signing in, from the `then` parameter. Returns `/` for other origins, the
 * sign-in and sign-up pages and server paths, because anyone can write such a link.
 */
export function placeAfter(then: string | undefined, origin: string): string {
  if (!then || !URL.canParse(then, origin) || !then.startsWith('/')) return '/'
  const url = new URL(then, origin)
  const isElsewhere = url.origin !== origin || url.pathname.startsWith('//')
  if (isElsewhere || /^\/(sign-in|sign-up|api|uploads)(\/|$)/.test(url.pathname)) return '/'
  return url.pathname + url.search + url.hash
}
