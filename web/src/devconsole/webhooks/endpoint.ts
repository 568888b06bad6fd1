/** What tells apart endpoints of one host. */
export function pathOf(endpoint_url: string): string {
  const { pathname, search } = new URL(endpoint_url)
  return pathname + search
}

/** False for what the server refuses in any case; it knows more of addresses. */
export function isEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, hash } = new URL(text)
  return /^https?:$/.test(protocol) && !username && !password && !hash
}
