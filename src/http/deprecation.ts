/** Time of the first release, when these routes became deprecated (RFC 9745). */
const SINCE = '@1795219200'

/** Returns the headers of a deprecated route (RFC 9745, RFC 8288). */
export function deprecationHeaders(successor: string): { deprecation: string; link: string } {
  return { deprecation: SINCE, link: `<${successor}>; rel="successor-version"` }
}
