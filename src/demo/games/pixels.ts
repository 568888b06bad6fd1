/** Drawing functions for WebAssembly games. They write four-byte pixels to a picture in the game's memory. */
import { type Code, type Definition, during, i32, when } from './assembler.ts'

export const WIDTH = 240
export const HEIGHT = 320
/** Address of the picture. */
export const PICTURE = 65_536
/** Address of the digits: three by five pixels, one byte per row. */
export const FONT = 512
export const DIGITS = [
  '75557',
  '26227',
  '71747',
  '71717',
  '55711',
  '74717',
  '74757',
  '71111',
  '75757',
  '75717',
]

/** Converts 0xRRGGBB to the pixel format, which has red in the lowest byte. */
export const colour = (rgb: number): Code =>
  i32.constant(0xff000000 | ((rgb & 0xff) << 16) | (rgb & 0xff00) | (rgb >> 16))

const n = i32.constant

/** Fills a rectangle, clipped to the picture. */
export const box: Definition = {
  name: 'box',
  params: { left: 'i32', top: 'i32', width: 'i32', height: 'i32', paint: 'i32' },
  locals: { x: 'i32', y: 'i32' },
  body: ({ get, set }) => {
    const inside = i32.and(
      i32.and(i32.atLeast(get('x'), n(0)), i32.less(get('x'), n(WIDTH))),
      i32.and(i32.atLeast(get('y'), n(0)), i32.less(get('y'), n(HEIGHT))),
    )
    const pixel = i32.multiply(i32.add(i32.multiply(get('y'), n(WIDTH)), get('x')), n(4))
    return [
      set('y', get('top')),
      during(i32.less(get('y'), i32.add(get('top'), get('height'))), [
        set('x', get('left')),
        during(i32.less(get('x'), i32.add(get('left'), get('width'))), [
          when(inside, [i32.store(pixel, get('paint'), PICTURE)]),
          set('x', i32.add(get('x'), n(1))),
        ]),
        set('y', i32.add(get('y'), n(1))),
      ]),
    ]
  },
}

/** Fills a disc row by row. */
export const disc: Definition = {
  name: 'disc',
  params: { x: 'i32', y: 'i32', radius: 'i32', paint: 'i32' },
  locals: { row: 'i32', half: 'i32' },
  body: ({ get, set, call }) => {
    const square = (value: Code) => i32.multiply(value, value)
    const isTooWide = i32.greater(
      i32.add(square(get('half')), square(get('row'))),
      square(get('radius')),
    )
    return [
      set('row', i32.subtract(n(0), get('radius'))),
      during(i32.less(get('row'), i32.add(get('radius'), n(1))), [
        set('half', get('radius')),
        during(isTooWide, [set('half', i32.subtract(get('half'), n(1)))]),
        call(
          'box',
          i32.subtract(get('x'), get('half')),
          i32.add(get('y'), get('row')),
          i32.add(i32.multiply(get('half'), n(2)), n(1)),
          n(1),
          get('paint'),
        ),
        set('row', i32.add(get('row'), n(1))),
      ]),
    ]
  },
}

/** Draws a number, right-aligned at `right`. */
export const number: Definition = {
  name: 'number',
  params: { value: 'i32', right: 'i32', top: 'i32', paint: 'i32' },
  locals: { row: 'i32', column: 'i32', bits: 'i32', more: 'i32' },
  body: ({ get, set, call }) => {
    const digit = i32.multiply(i32.remainder(get('value'), n(10)), n(5))
    const isSet = i32.and(i32.shiftRight(get('bits'), i32.subtract(n(2), get('column'))), n(1))
    return [
      set('more', n(1)),
      during(get('more'), [
        set('row', n(0)),
        during(i32.less(get('row'), n(5)), [
          set('bits', i32.loadByte(i32.add(digit, get('row')), FONT)),
          set('column', n(0)),
          during(i32.less(get('column'), n(3)), [
            when(isSet, [
              call(
                'box',
                i32.add(get('right'), i32.multiply(get('column'), n(4))),
                i32.add(get('top'), i32.multiply(get('row'), n(4))),
                n(4),
                n(4),
                get('paint'),
              ),
            ]),
            set('column', i32.add(get('column'), n(1))),
          ]),
          set('row', i32.add(get('row'), n(1))),
        ]),
        set('right', i32.subtract(get('right'), n(16))),
        set('value', i32.divide(get('value'), n(10))),
        set('more', i32.greater(get('value'), n(0))),
      ]),
    ]
  },
}
