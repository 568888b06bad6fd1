/** Which addresses are pages of the client: its own list, which its router uses too. */

/** Whether a path is one of the patterns: `$name` stands for one segment that is not empty. */
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
