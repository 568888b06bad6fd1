/**
 * Starfall, a WebAssembly game for the host of `bundles/wasm-contract.ts`: a bowl catches stars and avoids
 * rocks. The player has three lives, and the game gets faster.
 */
import { WASM_IMPORTS } from '../../bundles/wasm-contract.ts'
import { assemble, type Definition, during, f64, i32, when } from './assembler.ts'
import { box, colour, DIGITS, disc, FONT, HEIGHT, number, PICTURE, WIDTH } from './pixels.ts'

const BOWL = { width: 46, y: HEIGHT - 26 }
const LIVES = 3

/** Falling objects, 32 bytes each: x, y and speed as f64, then whether it is a rock. */
const THINGS = { at: 1024, count: 14, bytes: 32 }

const KEYS = { left: 37, right: 39, space: 32 }

const n = i32.constant
const r = f64.constant

export function assembleStarfall(): Buffer {
  const names = ['size', 'present', 'key', 'pointer_x', 'pointer_buttons', 'random', 'tone']
  return assemble({
    imports: names.map((name) => {
      const found = WASM_IMPORTS.find((one) => one.module === 'plaza' && one.name === name)
      if (!found) throw new Error(`the contract does not offer ${name}`)
      return found
    }),
    globals: {
      bowlX: { type: 'f64', value: WIDTH / 2 },
      score: { type: 'i32', value: 0 },
      lives: { type: 'i32', value: LIVES },
      pace: { type: 'f64', value: 1 },
      /** Frames left of the shaking after a rock was caught. */
      shaken: { type: 'i32', value: 0 },
      time: { type: 'i32', value: 0 },
    },
    pages: 6,
    data: [{ at: FONT, bytes: DIGITS.flatMap((rows) => [...rows].map(Number)) }],
    functions: [box, disc, number, place, begin, init, meet, fall, steer, sky, bowl, frame],
  })
}

/** Moves an object to a new place above the picture. Every third object is a rock. */
const place: Definition = {
  name: 'place',
  params: { thing: 'i32' },
  body: ({ get, call }) => [
    f64.store(get('thing'), f64.add(r(12), f64.multiply(call('random'), r(WIDTH - 24)))),
    f64.store(get('thing'), f64.multiply(call('random'), r(-HEIGHT * 1.4)), 8),
    f64.store(get('thing'), f64.add(r(0.8), call('random')), 16),
    i32.store(get('thing'), f64.less(call('random'), r(0.33)), 24),
  ],
}

const begin: Definition = {
  name: 'begin',
  locals: { thing: 'i32' },
  body: ({ get, set, call }) => [
    set('score', n(0)),
    set('lives', n(LIVES)),
    set('pace', r(1)),
    set('shaken', n(0)),
    set('thing', n(THINGS.at)),
    during(i32.less(get('thing'), n(THINGS.at + THINGS.count * THINGS.bytes)), [
      call('place', get('thing')),
      set('thing', i32.add(get('thing'), n(THINGS.bytes))),
    ]),
  ],
}

const init: Definition = {
  name: 'init',
  isExported: true,
  body: ({ call }) => [call('size', n(WIDTH), n(HEIGHT)), call('begin')],
}

/** Handles a catch: a star scores, a rock costs a life. */
const meet: Definition = {
  name: 'meet',
  params: { isRock: 'i32' },
  body: ({ get, set, call }) => [
    when(
      get('isRock'),
      [
        set('lives', i32.subtract(get('lives'), n(1))),
        set('shaken', n(24)),
        call('tone', r(90), r(260), r(0.3), n(2)),
      ],
      [
        set('score', i32.add(get('score'), n(1))),
        set('pace', f64.lesserOf(r(3), f64.add(get('pace'), r(0.025)))),
        call(
          'tone',
          f64.add(r(520), f64.ofWhole(i32.multiply(i32.remainder(get('score'), n(8)), n(60)))),
          r(90),
          r(0.2),
          n(3),
        ),
      ],
    ),
  ],
}

/** Moves and draws the falling objects. They stop once all lives are lost. */
const fall: Definition = {
  name: 'fall',
  locals: { thing: 'i32', x: 'i32', y: 'i32', isRock: 'i32' },
  body: ({ get, set, call }) => {
    const down = f64.add(
      f64.load(get('thing'), 8),
      f64.multiply(f64.load(get('thing'), 16), get('pace')),
    )
    const isNear = f64.less(
      f64.absolute(f64.subtract(f64.load(get('thing')), get('bowlX'))),
      r(BOWL.width / 2 + 3),
    )
    const isAt = i32.and(i32.greater(get('y'), n(BOWL.y - 8)), i32.less(get('y'), n(BOWL.y + 10)))
    return [
      set('thing', n(THINGS.at)),
      during(i32.less(get('thing'), n(THINGS.at + THINGS.count * THINGS.bytes)), [
        when(i32.greater(get('lives'), n(0)), [f64.store(get('thing'), down, 8)]),
        set('x', i32.ofReal(f64.load(get('thing')))),
        set('y', i32.ofReal(f64.load(get('thing'), 8))),
        set('isRock', i32.load(get('thing'), 24)),
        when(
          get('isRock'),
          [
            call('disc', get('x'), get('y'), n(8), colour(0x5a4a5e)),
            call(
              'disc',
              i32.subtract(get('x'), n(2)),
              i32.subtract(get('y'), n(2)),
              n(3),
              colour(0x8a7a8e),
            ),
          ],
          [
            call(
              'box',
              i32.subtract(get('x'), n(1)),
              i32.subtract(get('y'), n(26)),
              n(2),
              n(20),
              colour(0x6d6aa8),
            ),
            call('disc', get('x'), get('y'), n(6), colour(0xffc857)),
            call('disc', get('x'), get('y'), n(3), colour(0xfff6d8)),
          ],
        ),
        when(i32.and(isAt, isNear), [call('meet', get('isRock')), call('place', get('thing'))]),
        when(i32.greater(get('y'), n(HEIGHT + 30)), [call('place', get('thing'))]),
        set('thing', i32.add(get('thing'), n(THINGS.bytes))),
      ]),
    ]
  },
}

/** Moves the bowl by the arrow keys, or to the finger or pressed mouse. */
const steer: Definition = {
  name: 'steer',
  locals: { to: 'f64' },
  body: ({ get, set, call }) => [
    set('to', get('bowlX')),
    when(call('key', n(KEYS.left)), [set('to', f64.subtract(get('to'), r(4)))]),
    when(call('key', n(KEYS.right)), [set('to', f64.add(get('to'), r(4)))]),
    when(i32.and(call('pointer_buttons'), n(1)), [
      set(
        'to',
        f64.add(get('to'), f64.multiply(f64.subtract(call('pointer_x'), get('to')), r(0.35))),
      ),
    ]),
    set(
      'bowlX',
      f64.greaterOf(r(BOWL.width / 2), f64.lesserOf(r(WIDTH - BOWL.width / 2), get('to'))),
    ),
  ],
}

/** Draws the sky from dark blue to violet, with fixed stars. */
const sky: Definition = {
  name: 'sky',
  locals: { y: 'i32', i: 'i32' },
  body: ({ get, set, call }) => {
    const part = (from: number, by: number) =>
      i32.add(n(from), i32.divide(i32.multiply(get('y'), n(by)), n(HEIGHT)))
    const row = i32.or(
      i32.or(n(0xff000000), part(8, 70)),
      i32.or(i32.shiftLeft(part(10, 30), n(8)), i32.shiftLeft(part(34, 80), n(16))),
    )
    const scattered = (by: number, and: number, within: number) =>
      i32.remainder(
        i32.add(
          i32.multiply(i32.multiply(get('i'), get('i')), n(by)),
          i32.multiply(get('i'), n(and)),
        ),
        n(within),
      )
    const blinks = i32.and(i32.add(get('i'), i32.shiftRight(get('time'), n(4))), n(7))
    return [
      during(i32.less(get('y'), n(HEIGHT)), [
        call('box', n(0), get('y'), n(WIDTH), n(1), row),
        set('y', i32.add(get('y'), n(1))),
      ]),
      during(i32.less(get('i'), n(60)), [
        when(blinks, [
          call(
            'box',
            scattered(31, 149, WIDTH),
            scattered(17, 71, HEIGHT),
            n(1),
            n(1),
            colour(0xdfe4ff),
          ),
        ]),
        set('i', i32.add(get('i'), n(1))),
      ]),
    ]
  },
}

/** Draws the bowl, red while it shakes, and the lives and the score. */
const bowl: Definition = {
  name: 'bowl',
  locals: { left: 'i32', i: 'i32' },
  body: ({ get, set, call }) => [
    set('left', i32.subtract(i32.ofReal(get('bowlX')), n(BOWL.width / 2))),
    when(
      get('shaken'),
      [
        set('shaken', i32.subtract(get('shaken'), n(1))),
        set('left', i32.add(get('left'), i32.subtract(i32.and(get('shaken'), n(7)), n(3)))),
        call('box', get('left'), n(BOWL.y), n(BOWL.width), n(6), colour(0xff5d73)),
      ],
      [call('box', get('left'), n(BOWL.y), n(BOWL.width), n(6), colour(0x6ee7f2))],
    ),
    call(
      'box',
      i32.add(get('left'), n(5)),
      n(BOWL.y + 6),
      n(BOWL.width - 10),
      n(5),
      colour(0x3fb6c9),
    ),
    call(
      'box',
      i32.add(get('left'), n(12)),
      n(BOWL.y + 11),
      n(BOWL.width - 24),
      n(3),
      colour(0x2a7f95),
    ),
    during(i32.less(get('i'), get('lives')), [
      call('disc', i32.add(n(14), i32.multiply(get('i'), n(16))), n(16), n(5), colour(0xff6b9d)),
      set('i', i32.add(get('i'), n(1))),
    ]),
    call('number', get('score'), n(WIDTH - 22), n(8), colour(0xffffff)),
  ],
}

/** Draws a frame. When no lives are left, shows the score until a key or touch restarts the game. */
const frame: Definition = {
  name: 'frame',
  params: { now: 'f64' },
  locals: { i: 'i32' },
  isExported: true,
  body: ({ get, set, call }) => [
    set('time', i32.add(get('time'), n(1))),
    call('sky'),
    call('steer'),
    call('fall'),
    call('bowl'),
    when(i32.less(get('lives'), n(1)), [
      call('box', n(40), n(120), n(WIDTH - 80), n(80), colour(0x14163a)),
      call('box', n(40), n(120), n(WIDTH - 80), n(2), colour(0xffc857)),
      call('box', n(40), n(198), n(WIDTH - 80), n(2), colour(0xffc857)),
      call('number', get('score'), n(WIDTH / 2 - 4), n(140), colour(0xffc857)),
      // A play symbol.
      during(i32.less(get('i'), n(14)), [
        call(
          'box',
          i32.add(n(WIDTH / 2 - 5), get('i')),
          i32.add(n(172), i32.divide(get('i'), n(2))),
          n(1),
          i32.subtract(n(14), get('i')),
          colour(0xffffff),
        ),
        set('i', i32.add(get('i'), n(1))),
      ]),
      when(
        i32.and(
          i32.isZero(get('shaken')),
          i32.or(call('key', n(KEYS.space)), i32.and(call('pointer_buttons'), n(1))),
        ),
        [call('begin')],
      ),
    ]),
    call('present', n(PICTURE)),
  ],
}
