import type { Problem } from '../errors.ts'

export const REDIRECT_URIS_MAX = 20
/** An absolute address without white space, backslash or wildcard, which parsers read differently. */
const PLAIN = /^https?:\/\/[^/?#@\\*]+([/?][^#\\*]*)?$/i
const VISIBLE = /^[\x21-\x7e]+$/
/** As the parser of URLs writes hosts. */
const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/

/** Names each address that is not valid (contract, section 3, App): compared as text later, so taken as it stands. */
export function checkRedirectUris(uris: unknown, problems: Problem[]): void {
  if (!Array.isArray(uris)) return
  for (const [at, uri] of uris.slice(0, REDIRECT_URIS_MAX).entries()) {
    if (typeof uri === 'string' && !isRedirectUri(uri)) {
      problems.push({ field: `redirect_uris.${at}`, key: 'invalid.redirect_uri' })
    }
  }
}

function isRedirectUri(text: string): boolean {
  if (!VISIBLE.test(text) || !PLAIN.test(text) || !URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || LOOPBACK.test(hostname)
}
