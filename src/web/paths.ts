/**
 * Returns a function that tests whether a path matches one of the patterns. `$name` matches one non-empty
 * segment.
 */
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
