import type { FastifyInstance } from 'fastify'

interface Address {
  method: string
  path: string
}

interface Pattern {
  pattern: RegExp
  methods: Set<string>
}

/**
 * Returns a function from a path to its `Allow` header, or to undefined when no route matches. Call
 * `allowedMethods` before the routes are registered, and the returned function afterwards.
 */
export function allowedMethods(app: FastifyInstance): (path: string) => string | undefined {
  const addresses: Address[] = []
  app.addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat()) addresses.push({ method: name, path: url })
  })
  let patterns: Pattern[] | undefined
  return (path) => {
    patterns ??= compilePatterns(addresses)
    const methods = new Set(
      patterns.filter(({ pattern }) => pattern.test(path)).flatMap((match) => [...match.methods]),
    )
    if (methods.size === 0) return undefined
    return [...methods, 'OPTIONS'].join(', ')
  }
}

function compilePatterns(addresses: readonly Address[]): Pattern[] {
  const byPath = new Map<string, Pattern>()
  for (const { method, path } of addresses) {
    const entry = byPath.get(path) ?? { pattern: patternOf(path), methods: new Set() }
    entry.methods.add(method)
    byPath.set(path, entry)
  }
  return [...byPath.values()]
}

function patternOf(path: string): RegExp {
  const literal = path.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${literal.replace('*', '.*').replace(/:\w+/g, '[^/]+')}$`)
}
