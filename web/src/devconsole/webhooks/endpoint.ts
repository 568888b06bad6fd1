/** Returns path and query, which distinguish endpoints on the same host. */
export function pathOf(endpoint_url: string): string {
  const { pathname, search } = new URL(endpoint_url)
  return pathname + search
}

/** Returns false for URLs that the server always rejects. The server validates further rules. */
export function isEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, hash } = new URL(text)
  return /^https?:$/.test(protocol) && !username && !password && !hash
}
