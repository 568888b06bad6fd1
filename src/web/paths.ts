/** Matches URL paths against the client's path patterns, which its router uses too. */

/** Returns a function that tests whether a path matches a pattern. `$name` matches one non-empty segment. */
export function pathMatcher(patterns: readonly string[]): (path: string) => boolean {
  const known = patterns.map((pattern) => {
    const literal = pattern.replace(/[.*+?^{}()|[\]\\]/g, '\\$&')
    return new RegExp(`^${literal.replace(/\$\w+/g, '[^/]+')}$`)
  })
  return (path) => {
    const bare = path.length > 1 ? path.replace(/\/$/, '') : path
    return known.some((pattern) => pattern.test(bare))
  }
}
