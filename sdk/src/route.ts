/** HTTP call of an operation, parsed from its line in `operations` (generated.ts). */
export interface Route {
  method: string
  /** Absolute path with placeholders such as `{id}`. */
  path: string
  /** Names of the placeholders in `path`. */
  ids: string[]
  /** True when the operation ignores credentials. */
  isPublic: boolean
  hasBody: boolean
  /** Path fields that the body must repeat. */
  twice: string[]
  /** True when the operation accepts an `Idempotency-Key`. */
  takesKey: boolean
  list: ListRoute | undefined
}

export interface ListRoute {
  by: 'page' | 'cursor' | 'offset'
  /** Field of the response that contains the list. */
  field: string
  /** True when pages run from newest to oldest, while each page runs from oldest to newest. */
  isReversed: boolean
}

export type Input = Record<string, unknown>

/** Returns the group and the name of an operation's method, or only a name for methods of the client itself. */
export function memberOf(line: string): string[] {
  return line.slice(0, line.indexOf(' ')).split('.')
}

export function toRoute(line: string): Route {
  const [, method = '', path = '', ...words] = line.split(' ')
  const after = (kind: string) =>
    words.filter((word) => word.startsWith(`${kind}:`)).map((word) => word.slice(kind.length + 1))
  const by = (['page', 'cursor', 'offset'] as const).find((kind) => after(kind).length > 0)
  return {
    method,
    ids: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    path: path.startsWith('/api/') ? path : `/api/v1${path}`,
    isPublic: words.includes('public'),
    hasBody: words.includes('json'),
    twice: after('twice'),
    takesKey: words.includes('once'),
    list: by && { by, field: after(by)[0] ?? '', isReversed: words.includes('reversed') },
  }
}

/**
 * Returns the target (path and query) and the JSON body of a request. Input fields outside the path go into the body if
 * the operation has one, otherwise into the query. Throws a TypeError for an invalid path field.
 */
export function place(route: Route, input: Input): { target: string; body: string | undefined } {
  const rest: Input = { ...input }
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    if (!isSegment(value)) throw new TypeError(`${name} is missing or cannot be part of a path`)
    if (!route.twice.includes(name)) delete rest[name]
    return encodeURIComponent(String(value))
  })
  if (route.hasBody) return { target: path, body: JSON.stringify(rest) }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(rest)) {
    if (value !== undefined && value !== null) query.set(name, String(value))
  }
  const search = query.toString()
  return { target: search ? `${path}?${search}` : path, body: undefined }
}

/** Returns true for text that can be one path segment. An empty segment, `.` or `..` would lead to another path. */
function isSegment(value: unknown): boolean {
  return typeof value === 'string' && !['', '.', '..'].includes(value)
}
