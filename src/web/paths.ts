export interface PageMatch {
  /** Pattern of the page, such as `/contents/$id`. */
  pattern: string
  /** Decoded values of the pattern's parameters. */
  params: Record<string, string>
}

/**
 * Returns a function that finds the pattern of a path. In patterns, `$name` matches one non-empty segment. The function
 * returns undefined when no pattern matches or the path is not valid UTF-8.
 */
export function pathMatcher(patterns: readonly string[]): (path: string) => PageMatch | undefined {
  const known = patterns.map((pattern) => {
    const literal = pattern.replace(/[.*+?^{}()|[\]\\]/g, '\\$&')
    return { pattern, form: new RegExp(`^${literal.replace(/\$(\w+)/g, '(?<$1>[^/]+)')}$`) }
  })
  return (path) => {
    const trimmed = path.length > 1 ? path.replace(/\/$/, '') : path
    for (const { pattern, form } of known) {
      const found = form.exec(trimmed)
      if (!found) continue
      try {
        const params = Object.entries(found.groups ?? {}).map(([name, value]) => [
          name,
          decodeURIComponent(value),
        ])
        return { pattern, params: Object.fromEntries(params) }
      } catch {
        return undefined
      }
    }
    return undefined
  }
}
