/** Validates redirect URIs, one per line, by the server's rules. */
import type { texts } from './texts.ts'

const MOST = 20
const LONGEST = 2000
/**
 * Matches the authority of a URI: host, port and credentials. Requires the two slashes, as the server does. URL parsers
 * also accept URIs without them.
 */
const AUTHORITY = /^https?:\/\/([^/?]+)/i
/** Matches hosts for which the server allows `http`. */
const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/

type RedirectRule = keyof (typeof texts)['ko']['redirectRules']

/** A line with an invalid URI. Lines are counted from 1. */
export interface BrokenLine {
  line: number
  rule: RedirectRule
}

export function redirectsOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}

export function brokenLine(text: string): BrokenLine | undefined {
  let count = 0
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim()
    if (!line) continue
    count += 1
    const rule = count > MOST ? 'tooMany' : brokenRule(line)
    if (rule) return { line: index + 1, rule }
  }
  return undefined
}

function brokenRule(uri: string): RedirectRule | undefined {
  if (uri.length > LONGEST) return 'tooLong'
  if (!/^[!-~]+$/.test(uri) || uri.includes('\\')) return 'characters'
  if (uri.includes('*')) return 'wildcard'
  if (uri.includes('#')) return 'fragment'
  if (!URL.canParse(uri)) return 'malformed'
  const { protocol, hostname } = new URL(uri)
  if (protocol !== 'https:' && protocol !== 'http:') return 'insecure'
  const authority = AUTHORITY.exec(uri)?.[1]
  if (authority === undefined) return 'malformed'
  if (authority.includes('@')) return 'credentials'
  return protocol === 'https:' || LOOPBACK.test(hostname) ? undefined : 'insecure'
}
