/** Draws the shapes of Night Flight. */
import { clip, type Colour, disc, move, type Outline, place, type Point, shape } from './flash.ts'

export const WIDTH = 550
export const HEIGHT = 400
/** Ids of the shapes and of the clips made from them. */
export const ID = {
  sky: 1,
  moon: 2,
  far: 3,
  near: 4,
  star: 5,
  turning: 6,
  cloud: 7,
  hull: 8,
  flame: 9,
  burning: 10,
  rocket: 11,
  frame: 12,
  bar: 13,
  light: 14,
  hills: 15,
  nearHills: 16,
  clouds: 17,
  bars: 18,
  lights: 19,
}

const solid = (colour: Colour, points: readonly Point[], isCurved = false): Outline => ({
  fill: { kind: 'solid', colour },
  points,
  isCurved,
})

export function defineScenery(): Buffer[] {
  const dots = Array.from({ length: 70 }, (_, i): Outline => {
    const [x, y, size] = [(i * 7919) % WIDTH, (i * 6101) % 300, 0.7 + (i % 5) * 0.25]
    return solid([230, 235, 255, 120 + Math.floor(i / 18) * 40], square([x, y], size))
  })
  const whole: Point[] = [
    [0, 0],
    [WIDTH, 0],
    [WIDTH, HEIGHT],
    [0, HEIGHT],
  ]
  const sky: Outline = {
    fill: {
      kind: 'down',
      height: HEIGHT,
      colours: [
        [8, 12, 40],
        [44, 36, 96],
        [150, 70, 120],
      ],
    },
    points: whole,
  }
  const halo: Outline = {
    fill: {
      kind: 'outward',
      radius: 90,
      colours: [
        [255, 240, 205, 150],
        [255, 240, 205, 0],
      ],
    },
    ...disc([0, 0], 90),
  }
  return [
    shape(ID.sky, [sky, ...dots]),
    shape(ID.moon, [
      halo,
      { fill: { kind: 'solid', colour: [255, 243, 214] }, ...disc([0, 0], 34) },
      { fill: { kind: 'solid', colour: [236, 218, 182] }, ...disc([-11, 8], 7) },
      { fill: { kind: 'solid', colour: [236, 218, 182] }, ...disc([12, -9], 5) },
    ]),
    shape(ID.far, [solid([58, 38, 96], ridge(300, 46))]),
    shape(ID.near, [solid([28, 18, 56], ridge(345, 28))]),
    clip(ID.hills, [[place(1, ID.far, {})]]),
    clip(ID.nearHills, [[place(1, ID.near, {})]]),
  ]
}

/** Returns a ridge twice as wide as the film. Its halves are equal, so it can scroll endlessly. */
function ridge(level: number, rise: number): Point[] {
  const steps = 56
  const tops = Array.from({ length: steps + 1 }, (_, i): Point => {
    const turn = (i / steps) * Math.PI * 4
    const y = level + Math.sin(turn) * rise * 0.6 + Math.sin(turn * 3 + 1) * rise * 0.4
    return [(i / steps) * WIDTH * 2, y]
  })
  return [...tops, [WIDTH * 2, HEIGHT], [0, HEIGHT]]
}

function square([x, y]: Point, size: number): Point[] {
  return [
    [x, y],
    [x + size, y],
    [x + size, y + size],
    [x, y + size],
  ]
}

export function defineThings(): Buffer[] {
  const corners = Array.from({ length: 10 }, (_, i): Point => {
    const angle = (i / 10) * Math.PI * 2 - Math.PI / 2
    const far = i % 2 === 0 ? 14 : 6
    return [Math.cos(angle) * far, Math.sin(angle) * far]
  })
  const turning = Array.from({ length: 24 }, (_, i) => {
    const matrix = { turn: i * 15, scale: 1 + Math.sin((i / 24) * Math.PI * 2) * 0.12 }
    return [i === 0 ? place(1, ID.star, matrix) : move(1, matrix)]
  })
  const burning = [1, 0.7, 1.15, 0.85].map((scale, at) => {
    const matrix = { x: -30, scale }
    return [at === 0 ? place(1, ID.flame, matrix) : move(1, matrix)]
  })
  const grey = (at: Point, radius: number, light: number): Outline => ({
    fill: { kind: 'solid', colour: [light, light, light + 20, 235] },
    ...disc(at, radius),
  })
  return [
    shape(ID.star, [solid([255, 209, 92], corners)]),
    clip(ID.turning, turning),
    shape(ID.cloud, [
      grey([-22, 6], 16, 92),
      grey([22, 6], 15, 92),
      grey([0, -3], 22, 104),
      grey([-4, 12], 18, 84),
    ]),
    clip(ID.clouds, [[place(1, ID.cloud, {})]]),
    shape(ID.hull, [
      solid(
        [226, 74, 92],
        [
          [-28, -4],
          [-36, -20],
          [-12, -10],
        ],
      ),
      solid(
        [226, 74, 92],
        [
          [-28, 4],
          [-36, 20],
          [-12, 10],
        ],
      ),
      solid(
        [238, 242, 252],
        [
          [-30, 0],
          [-30, -10],
          [-6, -12],
          [22, -12],
          [36, 0],
          [22, 12],
          [-6, 12],
          [-30, 10],
        ],
        true,
      ),
      solid(
        [226, 74, 92],
        [
          [20, -9],
          [30, -6],
          [36, 0],
          [30, 6],
          [20, 9],
          [22, 0],
        ],
        true,
      ),
      { fill: { kind: 'solid', colour: [70, 130, 190] }, ...disc([4, -1], 6) },
    ]),
    shape(ID.flame, [
      solid(
        [255, 150, 60, 230],
        [
          [0, -7],
          [-16, -4],
          [-26, 0],
          [-16, 4],
          [0, 7],
          [2, 0],
        ],
        true,
      ),
      solid(
        [255, 236, 150],
        [
          [0, -4],
          [-8, -3],
          [-14, 0],
          [-8, 3],
          [0, 4],
          [1, 0],
        ],
        true,
      ),
    ]),
    clip(ID.burning, burning),
    clip(ID.rocket, [[place(1, ID.burning, {}), place(2, ID.hull, {})]]),
    shape(ID.frame, [
      solid(
        [255, 255, 255, 60],
        [
          [0, 0],
          [206, 0],
          [206, 18],
          [0, 18],
        ],
      ),
    ]),
    shape(ID.bar, [
      solid(
        [255, 209, 92],
        [
          [0, 0],
          [200, 0],
          [200, 12],
          [0, 12],
        ],
      ),
    ]),
    clip(ID.bars, [[place(1, ID.bar, {})]]),
    shape(ID.light, [{ fill: { kind: 'solid', colour: [140, 233, 154] }, ...disc([0, 0], 6) }]),
    clip(ID.lights, [[place(1, ID.light, {})]]),
  ]
}
