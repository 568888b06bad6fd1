/** Unusual and invalid HTTP/1.1 requests (RFC 9112), byte by byte. */

export interface Aim {
  method: string
  path: string
  /** Lines of a valid request, each with its line break. */
  headers: string
}

export interface Form {
  name: string
  bytes: (aim: Aim) => string
  /**
   * True when the server may answer with success: the request is unusual but valid, or the server may ignore
   * the error.
   */
  mayServe: boolean
}

const BODY = '{"a":1}'
const NEXT = 'GET /api/v1/behind HTTP/1.1\r\nHost: x\r\n\r\n'

function withLines(lines: string, rest = '') {
  return ({ method, path, headers }: Aim) =>
    `${method} ${path} HTTP/1.1\r\nHost: x\r\n${headers}${lines}\r\n${rest}`
}

function withFirst(first: (aim: Aim) => string, host = 'Host: x\r\n') {
  return (aim: Aim) => `${first(aim)}\r\n${host}${aim.headers}\r\n`
}

function chunked(rest: string) {
  return withLines('Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n', rest)
}

const refused: Record<string, Form['bytes']> = {
  'Content-Length before chunked': withLines(
    'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n',
    `0\r\n\r\n${NEXT}`,
  ),
  'chunked before Content-Length': withLines(
    'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n',
    `0\r\n\r\n${NEXT}`,
  ),
  'two different lengths': withLines('Content-Length: 7\r\nContent-Length: 0\r\n', BODY),
  'a negative length': withLines('Content-Length: -1\r\n', BODY),
  'a length with a plus sign': withLines('Content-Length: +7\r\n', BODY),
  'a list of lengths': withLines('Content-Length: 7, 7\r\n', BODY),
  'a length with a letter': withLines('Content-Length: 7x\r\n', BODY),
  'a length in hex': withLines('Content-Length: 0x7\r\n', BODY),
  'a length without digits': withLines('Content-Length: \r\n', BODY),
  'a length beyond 64 bits': withLines('Content-Length: 99999999999999999999\r\n', BODY),
  'a length in exponent notation': withLines('Content-Length: 1e3\r\n', BODY),
  'an unknown transfer coding': withLines('Transfer-Encoding: xchunked\r\n', `0\r\n\r\n${NEXT}`),
  'a coding after chunked': withLines(
    'Transfer-Encoding: chunked, identity\r\n',
    `0\r\n\r\n${NEXT}`,
  ),
  'a coding after a control character': withLines(
    'Transfer-Encoding: \x0bchunked\r\n',
    `0\r\n\r\n${NEXT}`,
  ),
  'a space before the colon of a coding': withLines(
    'Transfer-Encoding : chunked\r\n',
    `0\r\n\r\n${NEXT}`,
  ),
  'a space before the colon of a length': withLines('Content-Length : 7\r\n', BODY),
  'bare line feeds': ({ method, path }) => `${method} ${path} HTTP/1.1\nHost: x\n\n`,
  'a bare line feed in the headers': withLines('X-A: b\nX-C: d\r\n'),
  'a bare carriage return in a header': withLines('X-A: b\rX-C: d\r\n'),
  'NUL in a value': withLines('X-A: a\0b\r\n'),
  'NUL in a name': withLines('X-\0: b\r\n'),
  'a control character in a value': withLines('X-A: \x01\r\n'),
  'DEL in a value': withLines('X-A: \x7f\r\n'),
  'a line without a colon': withLines('nonsense\r\n'),
  'a header without a name': withLines(': x\r\n'),
  'a space in a name': withLines('X A: b\r\n'),
  'a bracket in a name': withLines('X(A): b\r\n'),
  'a non-ASCII header name': withLines('X-\xe9: b\r\n'),
  'no HTTP version': ({ path }) => `GET ${path}\r\n\r\n`,
  'HTTP/1.2': withFirst(({ method, path }) => `${method} ${path} HTTP/1.2`),
  'HTTP/2.0': withFirst(({ method, path }) => `${method} ${path} HTTP/2.0`),
  'the HTTP/2 preface': () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a version in lower case': withFirst(({ method, path }) => `${method} ${path} http/1.1`),
  'a version with more digits': withFirst(({ method, path }) => `${method} ${path} HTTP/1.11`),
  'no path': withFirst(({ method }) => `${method} HTTP/1.1`),
  'a method in lower case': withFirst(
    ({ method, path }) => `${method.toLowerCase()} ${path} HTTP/1.1`,
  ),
  'an unknown method': withFirst(({ path }) => `FOO ${path} HTTP/1.1`),
  'a very long method': withFirst(({ path }) => `${'A'.repeat(10_000)} ${path} HTTP/1.1`),
  'two hosts': withLines('Host: y\r\n'),
  'no host': withFirst(({ method, path }) => `${method} ${path} HTTP/1.1`, ''),
  'a TLS handshake': () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'an SSH greeting': () => 'SSH-2.0-OpenSSH_9.9\r\n',
  'a PROXY protocol line': (aim) => `PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n${withLines('')(aim)}`,
  binary: () => '\x00\x01\x02\xff\xfe\r\n\r\n',
  'a non-ASCII path': withFirst(({ method, path }) => `${method} ${path}\xff\xfe HTTP/1.1`),
  'a space in the path': withFirst(({ method, path }) => `${method} ${path} x HTTP/1.1`),
  'a path that cannot be decoded': withFirst(({ method, path }) => `${method} ${path}%zz HTTP/1.1`),
  'a path of 20 KB': withFirst(
    ({ method, path }) => `${method} ${path}${'a'.repeat(20_000)} HTTP/1.1`,
  ),
  'a header of 17 KB': withLines(`X-A: ${'a'.repeat(17_000)}\r\n`),
  'headers of 100 KB': withLines('X-A: aaaaaaaaaaaaaaaaaaaa\r\n'.repeat(4000)),
  'an asterisk as target': withFirst(() => 'GET * HTTP/1.1'),
  'an absolute target of another host': withFirst(
    ({ method }) => `${method} http://other.example/ HTTP/1.1`,
  ),
  CONNECT: withFirst(() => 'CONNECT x:443 HTTP/1.1'),
  TRACE: withFirst(({ path }) => `TRACE ${path} HTTP/1.1`),
  'an unknown expectation': withLines('Expect: wonders\r\n'),
}

const served: Record<string, Form['bytes']> = {
  // A route without a body may respond before it reads an error that follows the headers.
  'a chunk size that is not a number': chunked(`zz\r\n${BODY}\r\n0\r\n\r\n`),
  'a negative chunk size': chunked(`-1\r\n${BODY}\r\n0\r\n\r\n`),
  'a chunk size beyond 64 bits': chunked(`fffffffffffffffff\r\n${BODY}\r\n0\r\n\r\n`),
  'a chunk size with 0x': chunked(`0x7\r\n${BODY}\r\n0\r\n\r\n`),
  'a chunk longer than its size': chunked(`2\r\n${BODY}\r\n0\r\n\r\n`),
  'a chunk size with a bare line feed': chunked(`7\n${BODY}\r\n0\r\n\r\n`),
  'a chunk with a long extension': chunked(`7;${'x'.repeat(20_000)}\r\n${BODY}\r\n0\r\n\r\n`),
  'a trailer without a colon': chunked(`7\r\n${BODY}\r\n0\r\nnonsense\r\n\r\n`),
  'two equal lengths': withLines('Content-Length: 0\r\nContent-Length: 0\r\n'),
  'a folded header line': withLines('X-A: b\r\n c\r\n'),
  'a folded coding': withLines('X-A: b\r\n Transfer-Encoding: chunked\r\n'),
  'HTTP/1.0 without a host': withFirst(({ method, path }) => `${method} ${path} HTTP/1.0`, ''),
  'a fragment': withFirst(({ method, path }) => `${method} ${path}#x HTTP/1.1`),
  '1,500 headers': withLines('X: y\r\n'.repeat(1500)),
  'an upgrade to HTTP/2': withLines('Connection: Upgrade\r\nUpgrade: h2c\r\n'),
  'an upgrade to WebSocket': withLines('Connection: Upgrade\r\nUpgrade: websocket\r\n'),
  'empty lines before the request': (aim) => `\r\n\r\n${withLines('')(aim)}`,
  'a Latin-1 header value': withLines('X-A: \xe9\r\n'),
  'a chunk that never arrives': chunked('7\r\n{"a'),
  'a body that never arrives': withLines(
    'Content-Type: application/json\r\nContent-Length: 7\r\n',
    '{',
  ),
}

const formsOf = (from: Record<string, Form['bytes']>, mayServe: boolean): Form[] =>
  Object.entries(from).map(([name, bytes]) => ({ name, bytes, mayServe }))

export const FORMS: readonly Form[] = [...formsOf(refused, false), ...formsOf(served, true)]
