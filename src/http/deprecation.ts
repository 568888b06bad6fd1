/** The date of deprecation, which is the first release (RFC 9745). */
const SINCE = '@1795219200'

/** Returns the headers for every response of a deprecated route (RFC 9745, RFC 8288). */
export function deprecationHeaders(successor: string): { deprecation: string; link: string } {
  return { deprecation: SINCE, link: `<${successor}>; rel="successor-version"` }
}
