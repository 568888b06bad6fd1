import fc, { type Arbitrary } from 'fast-check'

const LONG = 10_240

/** Strings that often cause errors in databases, encoders, routers, templates or terminals. */
export const TEXTS: readonly string[] = [
  '',
  ' ',
  '\t\n\r',
  'a\0b',
  '\0',
  '\ud800',
  'x\udfff',
  '\ud83d',
  'a'.repeat(LONG),
  '한'.repeat(LONG / 4),
  '😀'.repeat(LONG / 8),
  '%'.repeat(LONG),
  '_%_%\\',
  '\u0301'.repeat(900),
  `a${'\u0316\u0301'.repeat(2000)}`,
  '\u202eabc\u202c',
  '\u200f\u200e\ufeff',
  '\u2028\u2029',
  '\ufffe\uffff',
  '👩‍👩‍👧‍👦🏳️‍🌈',
  'ﷺ'.repeat(300),
  'İıßſK',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  'true',
  '0',
  '-1',
  '1e309',
  '9223372036854775808',
  "' OR '1'='1",
  "'; drop table users; --",
  '"}]}',
  '{{7*7}}${7*7}<%= 7 %>',
  '<script>alert(1)</script>',
  '../../../etc/passwd',
  '..\\..\\x',
  'C:\\con',
  '/dev/null',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'http://[::1]:1/',
  'http://127.0.0.1:1/\r\nX: y',
  '\r\nSet-Cookie: a=b',
  '\u001b[31m',
  '@someone @@ @a_b @ㄱ',
  '1970-01-01T00:00:00.000Z',
  '+275760-09-13T00:00:00.001Z',
  '2026-02-30T25:61:61Z',
  'cnt_00000000000000000000000000',
  'usr_7zzzzzzzzzzzzzzzzzzzzzzzzz',
  'cnt_zzzzzzzzzzzzzzzzzzzzzzzzzz',
  'CNT_01KAZQJV2GF8K9W3M5XRT7N4DE',
]

const NUMBERS: readonly number[] = [
  0,
  -0,
  -1,
  1,
  1.5,
  0.1,
  100,
  101,
  255,
  256,
  32_768,
  65_536,
  86_400,
  86_401,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 32,
  2 ** 53,
  2 ** 53 + 2,
  2 ** 63,
  -(2 ** 63),
  1e21,
  1e308,
  -1e308,
  5e-324,
]

function deep(levels: number): unknown {
  let value: unknown = 'x'
  for (let i = 0; i < levels; i++) value = i % 2 === 0 ? [value] : { a: value }
  return value
}

const prototype: unknown = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{}}}')

export const hostileText: Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
)

export const hostileValue: Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(...NUMBERS) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      false,
      [],
      {},
      [null],
      [[]],
      { a: 1 },
      prototype,
      deep(31),
      deep(33),
      deep(500),
      Array.from({ length: 2000 }, () => 'x'),
      Array.from({ length: 60 }, () => '\0'),
      Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`k${i}`, i])),
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
)

export const hostileBody: Arbitrary<string> = fc.constantFrom(
  '',
  ' ',
  '{',
  '}',
  '[]',
  'null',
  '5',
  '"x"',
  '{"a":1}x',
  '\ufeff{}',
  "{'a':1}",
  '{"a":NaN}',
  '{,}',
  '{"a":1,}',
  '{"a":"\ud800"}',
  '{"a":"\\ud800"}',
  '{"a":"\\u0000"}',
  '['.repeat(50_000),
  `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
  'x'.repeat(262_145),
  `"${'x'.repeat(LONG)}"`,
  '{"body":"a","body":"b","title":1,"title":"b"}',
  '{"__proto__":{"body":"x"}}',
  '{"":"","\\u0000":1}',
  '{"a":1e999999}',
  '{"a":-0}',
  '--x\r\n',
  '<a/>',
  'a=b&c=d',
)

/** Unusual header values that contain only characters allowed by RFC 9110. */
export const hostileHeader: Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    ',',
    ';',
    ',,;;q=',
    '"',
    '*',
    'x'.repeat(4000),
    '\xff\xfe',
    '\xea\xb0\x80',
    '{"a":1}',
    '${jndi:ldap://x}',
    '__proto__',
    '../',
    '-1',
    '1e9',
    '%00',
    "' OR 1=1",
    'null',
    'W/"',
    '"x", W/"y"',
  ),
  fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((c) => String.fromCharCode(c)),
    maxLength: 30,
  }),
)

/** Path segments as sent in the request line. `mayMissRoute`: the path may match another route or none. */
export const hostileSegment: Arbitrary<{ text: string; mayMissRoute: boolean }> = fc.oneof(
  {
    weight: 2,
    arbitrary: hostileText
      .filter((text) => text !== '' && text.length < 1000)
      .map((text) => encodeURIComponent(text.toWellFormed()))
      .map((text) => ({ text, mayMissRoute: /^\.{1,2}$/.test(text) })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(
        '',
        '.',
        '..',
        '%2e%2e',
        '%2E',
        '..%2f',
        '%2F',
        '%5c',
        '%00',
        '%zz',
        '%',
        '%ff',
        '%c0%ae',
        '%ed%a0%80',
        ';x=1',
        '%3F',
        '%23',
        'a/b',
        '/',
        '*',
        '~',
        "'",
        '%252e%252e',
        'x'.repeat(9000),
      )
      .map((text) => ({ text, mayMissRoute: true })),
  },
)

export function atBorder(min: number, max: number): Arbitrary<string> {
  return fc
    .tuple(
      fc.constantFrom(min - 1, min, max, max + 1),
      fc.constantFrom('a', '한', '😀', ' ', 'e\u0301', '\u{1d15e}'),
    )
    .map(([length, unit]) => unit.repeat(Math.max(0, Math.min(length, 110_000))))
}

export function atEdge(min: number, max: number): Arbitrary<number> {
  return fc.constantFrom(min - 1, min, max, max + 1, -max, min + 0.5)
}
