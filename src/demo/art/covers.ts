/** Draws the covers of the three games. */
import { seeded } from '../random.ts'
import { circle, glow, gradient, path, type Point, polygon, rect, smooth, svg } from './svg.ts'

const CANVAS = { width: 1280, height: 800 }
const { width: WIDTH, height: HEIGHT } = CANVAS

function night(colours: readonly string[]): string {
  const random = seeded(11)
  const stars = Array.from({ length: 110 }, () => {
    const at: Point = [random.next() * WIDTH, random.next() ** 1.3 * HEIGHT * 0.8]
    return circle(
      at,
      0.8 + random.next() ** 3 * 2.2,
      '#ffffff',
      `fill-opacity="${(0.4 + random.next() * 0.6).toFixed(2)}"`,
    )
  })
  return `<defs>${gradient('sky', colours)}</defs>${rect(0, 0, WIDTH, HEIGHT, 'url(#sky)')}${stars.join('')}`
}

export function breakoutCover(): string {
  const colours = ['#ff6b9d', '#ff8f6b', '#ffc857', '#8ce99a', '#6ee7f2', '#c492ff']
  const bricks = colours.flatMap((colour, row) =>
    Array.from({ length: 9 }, (_, column) => {
      if ((row > 3 && column > 3 && column < 7) || (row === 3 && column === 5)) return ''
      const [x, y] = [110 + column * 119, 90 + row * 50]
      return `<rect x="${x}" y="${y}" width="108" height="40" rx="10" fill="${colour}"/><rect x="${x + 8}" y="${y + 7}" width="92" height="8" rx="4" fill="#fff" fill-opacity="0.3"/>`
    }),
  )
  return svg(
    CANVAS,
    night(['#070b1f', '#1a1f4d', '#4b2a63']),
    `<defs>${glow('ball', '#fff3c4')}</defs>`,
    ...bricks,
    path(
      'M420 735L700 300',
      'stroke="#fff3c4" stroke-opacity="0.18" stroke-width="16" stroke-linecap="round"',
    ),
    circle([700, 330], 90, 'url(#ball)'),
    circle([700, 330], 20, '#fff3c4'),
    '<rect x="320" y="735" width="230" height="28" rx="14" fill="#e9f1ff"/>',
  )
}

export function starfallCover(): string {
  const random = seeded(5)
  const stars = Array.from({ length: 12 }, (_, i) => {
    const [x, y, size] = [100 + i * 98, 60 + random.next() * 480, 20 + random.next() * 18]
    const tail = polygon(
      [
        [x - size * 0.4, y],
        [x, y - size * 6],
        [x + size * 0.4, y],
      ],
      'url(#tail)',
    )
    return `${tail}${circle([x, y], size, '#ffc857')}${circle([x, y], size * 0.5, '#fff6d8')}`
  })
  return svg(
    CANVAS,
    night(['#080a22', '#2b2057', '#4e2872']),
    '<defs><linearGradient id="tail" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#ffc857" stop-opacity="0"/><stop offset="1" stop-color="#ffc857" stop-opacity="0.6"/></linearGradient></defs>',
    ...stars,
    circle([915, 430], 46, '#5a4a5e') + circle([900, 414], 17, '#8a7a8e'),
    path('M470 660H810Q780 770 640 770T470 660Z', 'fill="#3fb6c9"'),
    '<rect x="455" y="640" width="370" height="34" rx="17" fill="#6ee7f2"/>',
  )
}

export function nightFlightCover(): string {
  const hills = (level: number, rise: number, fill: string) => {
    const points = Array.from(
      { length: 9 },
      (_, i): Point => [i * 160, level + Math.sin(i * 1.9) * rise],
    )
    return path(`${smooth(points)}V${HEIGHT}H0Z`, `fill="${fill}"`)
  }
  const star = ([x, y]: Point) =>
    polygon(
      Array.from({ length: 10 }, (_, i): Point => {
        const angle = (i / 10) * Math.PI * 2 - 1.2
        const far = i % 2 === 0 ? 34 : 15
        return [x + Math.cos(angle) * far, y + Math.sin(angle) * far]
      }),
      '#ffd15c',
    )
  return svg(
    CANVAS,
    night(['#080c28', '#2c2460', '#964678']),
    `<defs>${glow('halo', '#fff0cd', 0.7)}</defs>`,
    circle([990, 190], 240, 'url(#halo)') + circle([990, 190], 88, '#fff3d6'),
    hills(600, 60, '#3a2660') + hills(700, 40, '#1c1238'),
    ...[
      [760, 300],
      [930, 420],
      [1120, 500],
      [620, 150],
    ].map((at) => star(at as unknown as Point)),
    `<g transform="translate(420 400) rotate(-9) scale(5.4)">
      <path d="M-30 -6L-58 0L-30 6Z" fill="#ff963c"/><path d="M-30 -3L-46 0L-30 3Z" fill="#ffec96"/>
      <path d="M-28 -4L-36 -20L-10 -10ZM-28 4L-36 20L-10 10Z" fill="#e24a5c"/>
      <path d="M-30 0Q-30 -12 -6 -12Q22 -12 36 0Q22 12 -6 12Q-30 12 -30 0Z" fill="#eef2fc"/>
      <path d="M20 -9Q30 -6 36 0Q30 6 20 9Q23 0 20 -9Z" fill="#e24a5c"/><circle cx="4" cy="-1" r="6" fill="#4682be"/>
    </g>`,
  )
}
