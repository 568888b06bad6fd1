import fc, { type Arbitrary } from 'fast-check'
import { makeFilm } from '../../test/flash.ts'
import { makeModule, zipOf } from '../../test/playing.ts'
import {
  form,
  FORM_TYPE,
  formWith,
  makeBrokenMp4,
  makePng,
  makeWav,
  part,
} from '../../test/uploads.ts'

const page = { 'index.html': '<!doctype html><title>A game</title><p>Play!' }

export const FILES: Record<string, Buffer> = {
  png: await makePng(),
  wav: makeWav(0.1),
  zip: await zipOf(page),
  wasm: makeModule(),
  swf: makeFilm(),
}

const files = Object.values(FILES)
const png = FILES['png'] as Buffer

const broken: Arbitrary<Buffer> = fc
  .tuple(fc.constantFrom(...files), fc.nat(), fc.integer({ min: 0, max: 255 }), fc.boolean())
  .map(([bytes, seed, value, isCut]) => {
    const position = seed % bytes.length
    if (isCut) return bytes.subarray(0, position)
    const copy = Buffer.from(bytes)
    copy[position] = value
    return copy
  })

const bytes: Arbitrary<Buffer> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...files) },
  { weight: 3, arbitrary: broken },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      Buffer.alloc(0),
      Buffer.from('x'),
      Buffer.alloc(5000),
      makeBrokenMp4(),
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'),
      Buffer.from('<!doctype html><script>1</script>'),
      Buffer.from('GIF89a'),
      Buffer.from('%PDF-1.7'),
    ),
  },
)

const NAMES = [
  'a.png',
  '../../x',
  '..\\x',
  'a\\"b',
  '',
  'x'.repeat(300),
  '.htaccess',
  '\u202egnp.exe',
  '😀',
  'CON',
]

const wrong: Arbitrary<{ form: Buffer; type: string }> = fc.constantFrom(
  { form: form(), type: FORM_TYPE },
  { form: form(part('file', png)), type: FORM_TYPE },
  { form: form(part('other', png, { fileName: 'a' })), type: FORM_TYPE },
  {
    form: form(part('file', png, { fileName: 'a' }), part('file', png, { fileName: 'b' })),
    type: FORM_TYPE,
  },
  { form: form(part('__proto__', 'x'), part('file', png, { fileName: 'a' })), type: FORM_TYPE },
  { form: form(...Array.from({ length: 300 }, () => part('a[b][c]', 'x'))), type: FORM_TYPE },
  { form: formWith(png).subarray(0, 100), type: FORM_TYPE },
  { form: formWith(png).subarray(0, -5), type: FORM_TYPE },
  { form: formWith(png), type: 'multipart/form-data' },
  { form: formWith(png), type: 'multipart/form-data; boundary=' },
  { form: formWith(png), type: `multipart/form-data; boundary=${'x'.repeat(3000)}` },
  { form: formWith(png), type: 'application/json' },
  { form: Buffer.from('{}'), type: FORM_TYPE },
)

export const fileForm: Arbitrary<{ form: Buffer; type: string }> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(bytes, fc.constantFrom(...NAMES))
      .map(([file, name]) => ({ form: formWith(file, name), type: FORM_TYPE })),
  },
  { weight: 1, arbitrary: wrong },
)
