/**
 * Reads requests that Node's parser rejected only because of an unknown method. Reads only the URL and the
 * headers.
 */
import type { IncomingHttpHeaders } from 'node:http'

/** Error of Node's HTTP parser, with the packet that it rejected. */
export interface ParserError extends Error {
  code?: string
  reason?: string
  rawPacket?: unknown
  /** Number of bytes of the packet before the error. */
  bytesParsed?: number
}

export interface Unrouted {
  url: string
  headers: IncomingHttpHeaders
}

/** Character class of method and header names (RFC 9110, section 5.6.2). */
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]"
const OF_TOKEN = new RegExp(TOKEN)
const REQUEST = new RegExp(
  `${TOKEN}+ ([!-~]+) HTTP/1\\.([01])\\r\\n((?:${TOKEN}+:[\\t\\x20-\\x7e\\x80-\\xff]*\\r\\n)*)\\r\\n`,
  'y',
)

/**
 * Returns the request if only its method is invalid and the packet contains all its headers. Otherwise
 * returns undefined.
 */
export function readUnknownMethod(error: ParserError): Unrouted | undefined {
  if (!Buffer.isBuffer(error.rawPacket)) return undefined
  const text = error.rawPacket.toString('latin1')
  let start = placeInMethod(text, error)
  if (start === undefined) return undefined
  // Includes letters at the end of a previous body in the method. The response is the same.
  while (start > 0 && OF_TOKEN.test(text[start - 1] as string)) start--
  REQUEST.lastIndex = start
  const [, url, minor, lines] = REQUEST.exec(text) ?? []
  if (url === undefined || lines === undefined) return undefined
  const fields = lines.split('\r\n').slice(0, -1).map(toField)
  const hosts = fields.filter(([name]) => name === 'host').length
  if (hosts > 1 || (hosts === 0 && minor === '1')) return undefined
  return { url, headers: Object.fromEntries(fields) }
}

function toField(line: string): [name: string, value: string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}

/** Returns an index in or directly after the method, or undefined when the parser rejected something else. */
function placeInMethod(text: string, { code, reason, bytesParsed = 0 }: ParserError) {
  if (code === 'HPE_INVALID_METHOD') return bytesParsed
  // The parser recognises RTSP methods and rejects them only at the HTTP version.
  if (code !== 'HPE_INVALID_CONSTANT' || !reason?.startsWith('Invalid method')) return undefined
  return text.lastIndexOf(' ', text.lastIndexOf(' ', bytesParsed) - 1)
}
