import type { Problem } from '../errors.ts'

export const REDIRECT_URIS_MAX = 20
/**
 * Matches http and https URLs without fragments, credentials, wildcards and backslashes. URL parsers read backslashes
 * differently.
 */
const PLAIN = /^https?:\/\/[^/?#@\\*]+([/?][^#\\*]*)?$/i
const VISIBLE = /^[\x21-\x7e]+$/
/** Loopback hosts in the form that the URL parser outputs. */
const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/

/**
 * Reports a problem for each invalid redirect URI of an app (docs/api.md, Apps and API keys). Does not normalise the
 * URIs, because later comparisons use the exact text.
 */
export function checkRedirectUris(uris: unknown, problems: Problem[]): void {
  if (!Array.isArray(uris)) return
  for (const [index, uri] of uris.slice(0, REDIRECT_URIS_MAX).entries()) {
    if (typeof uri === 'string' && !isRedirectUri(uri)) {
      problems.push({ field: `redirect_uris.${index}`, key: 'invalid.redirect_uri' })
    }
  }
}

function isRedirectUri(text: string): boolean {
  if (!VISIBLE.test(text) || !PLAIN.test(text) || !URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || LOOPBACK.test(hostname)
}
