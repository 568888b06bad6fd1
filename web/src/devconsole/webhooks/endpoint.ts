/** Path and query, which distinguish endpoints on the same host. */
export function pathOf(endpoint_url: string): string {
  const { pathname, search } = new URL(endpoint_url)
  return pathname + search
}

/** Returns false for addresses that the server always rejects. The server checks more. */
export function isEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, hash } = new URL(text)
  return /^https?:$/.test(protocol) && !username && !password && !hash
}
