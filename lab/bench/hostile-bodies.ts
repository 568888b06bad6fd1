/** Request bodies of at most 256 KiB that are expensive to parse. */
import { JSON_LIMIT } from '../../src/http/body.ts'
import type { ValueSchema } from '../../src/http/text.ts'

export interface HostileBody {
  kind: string
  text: string
}

/** Combining marks. Normalizing a long run of them takes time that is quadratic in the length of the run. */
const MARKS = [...'\u0345\u035d\u035c\u0315\u0301\u0323\u031b\u0321\u0334']
const RUN = MARKS.map((mark) => mark.repeat(111)).join('')

const PIECES: Record<string, string> = {
  marks: `a${RUN}`,
  'short runs of marks': `a${MARKS.map((mark) => mark.repeat(3)).join('')}`,
  syllables: '\u1100\u1161\u11a8',
  ligatures: '\ufdfa',
  spaces: ' \u2003',
  letters: 'a',
  mentions: '@abc ',
  'at signs': 'a@',
  dots: 'a.',
  slashes: 'https://a/',
  percents: '%41',
  brackets: '[](',
  'escaped quotes': '\\"',
  astral: '😀',
}

const LISTS: Record<string, string> = {
  numbers: '0',
  texts: '""',
  'bad texts': '"\\u0000"',
  objects: '{}',
  lists: '[]',
  pairs: '{"a":0,"b":0}',
}

/** Returns bodies with a hostile value in an unknown field, or in a string or list field of the schema. */
export function hostileBodies(schema: ValueSchema, example: object): HostileBody[] {
  const bodies = [...inField('unknown', {}, example)]
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const types = [field.type].flat()
    if (types.includes('string') || types.includes('array')) {
      bodies.push(...inField(name, field, example))
    }
  }
  return bodies.filter(({ text }) => Buffer.byteLength(text) <= JSON_LIMIT)
}

function* inField(name: string, field: ValueSchema, example: object): Generator<HostileBody> {
  const others = Object.fromEntries(Object.entries(example).filter(([key]) => key !== name))
  const start = JSON.stringify({ ...others, [name]: 0 }).slice(0, -2)
  const room = JSON_LIMIT - Buffer.byteLength(start) - 10
  const body = (kind: string, value: string) => ({
    kind: `${name}: ${kind}`,
    text: `${start}${value}}`,
  })
  const { maxLength, maxItems, items } = field
  const takesList = [field.type].flat().includes('array')
  for (const [kind, piece] of Object.entries(PIECES)) {
    yield body(kind, `"${fill(JSON.stringify(piece).slice(1, -1), room)}"`)
    if (maxLength) yield body(`${kind}, at its limit`, JSON.stringify(cut(piece, maxLength)))
    if (!maxItems || !items?.maxLength) continue
    const full = cut(piece, items.maxLength)
    yield body(`${kind}, a full list`, JSON.stringify(Array(maxItems).fill(full)))
  }
  if (name !== 'unknown' && !takesList) return
  for (const [kind, item] of Object.entries(LISTS)) {
    yield body(kind, `[${fill(`${item},`, room - 10)}0]`)
  }
  if (name !== 'unknown') return
  yield body('keys', `{${Array.from({ length: room / 11 }, (_, index) => `"k${index}":0`).join()}}`)
  yield body('nested lists', `${fill('[', room / 2)}${fill(']', room / 2)}`)
  yield body('nested objects', `${fill('{"a":', (room * 5) / 7)}0${fill('}', room / 7)}`)
  yield body('digits', fill('1', room))
}

function fill(piece: string, room: number): string {
  return piece.repeat(Math.max(0, Math.floor(room / Buffer.byteLength(piece))))
}

function cut(piece: string, codePoints: number): string {
  const { length } = [...piece]
  return [...piece.repeat(Math.ceil(codePoints / length))].slice(0, codePoints).join('')
}
