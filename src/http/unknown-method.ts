/** Requests whose one fault is a method that Node's parser does not know: read here as far as their answer needs. */
import type { IncomingHttpHeaders } from 'node:http'

/** What the parser tells of what it could not take. */
export interface ParserError extends Error {
  code?: string
  reason?: string
  rawPacket?: unknown
  /** Bytes of the packet before the fault. */
  bytesParsed?: number
}

export interface Unrouted {
  url: string
  headers: IncomingHttpHeaders
}

/** Of a method or the name of a header (RFC 9110, section 5.6.2). */
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]"
const OF_TOKEN = new RegExp(TOKEN)
const REQUEST = new RegExp(
  `${TOKEN}+ ([!-~]+) HTTP/1\\.([01])\\r\\n((?:${TOKEN}+:[\\t\\x20-\\x7e\\x80-\\xff]*\\r\\n)*)\\r\\n`,
  'y',
)

/** The request, where all of it but its method is in order and its headers came with it. */
export function readUnknownMethod(error: ParserError): Unrouted | undefined {
  if (!Buffer.isBuffer(error.rawPacket)) return undefined
  const text = error.rawPacket.toString('latin1')
  let start = placeInMethod(text, error)
  if (start === undefined) return undefined
  // The body before it may end in letters: then the method seems longer, which changes nothing.
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

/** A place in the method, or at its end, where that is what the parser does not take. */
function placeInMethod(text: string, { code, reason, bytesParsed = 0 }: ParserError) {
  if (code === 'HPE_INVALID_METHOD') return bytesParsed
  // Those of RTSP it knows, and refuses them at the version.
  if (code !== 'HPE_INVALID_CONSTANT' || !reason?.startsWith('Invalid method')) return undefined
  return text.lastIndexOf(' ', text.lastIndexOf(' ', bytesParsed) - 1)
}
