/** What tells apart endpoints of one host. */
export function pathOf(endpoint_url: string): string {
  const { pathname, search } = new URL(endpoint_url)
  return pathname + search
}

/** False for what the server refuses in any case; it knows more of addresses. */
export function isEndpoint(text: string): boolean {
  const url = URL.parse(text)
  return (
    url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.hash
  )
}
