/** Draws landscapes: hills, woods, the sea, a city at night, northern lights, dunes. */
import type { Random } from '../random.ts'
import { NIGHTS, type Palette } from './palettes.ts'
import {
  type Canvas,
  circle,
  fade,
  glow,
  gradient,
  mix,
  path,
  type Point,
  polygon,
  rect,
  smooth,
  svg,
  waves,
} from './svg.ts'

export type Drawing = (random: Random, canvas: Canvas, palette: Palette) => string

/**
 * Draws the sky with sun or moon, and stars at night. `low` is the light's distance from the top, as a share.
 */
function sky(random: Random, canvas: Canvas, palette: Palette, low: number): string {
  const { width, height } = canvas
  const unit = Math.min(width, height)
  const at: Point = [width * (0.22 + random.next() * 0.56), height * low]
  const radius = unit * (palette.isNight ? 0.055 : 0.08)
  const stars = palette.isNight
    ? Array.from({ length: 140 }, () => {
        const y = height * 0.75 * random.next() ** 1.4
        const size = unit * (0.0008 + 0.0018 * random.next() ** 3)
        const more = `fill-opacity="${(0.35 + random.next() * 0.65).toFixed(2)}"`
        return circle([width * random.next(), y], size, '#ffffff', more)
      })
    : []
  return [
    `<defs>${gradient('sky', palette.sky)}${glow('light', palette.light, 0.9)}</defs>`,
    rect(0, 0, width, height, 'url(#sky)'),
    ...stars,
    circle(at, radius * (palette.isNight ? 4.5 : 6), 'url(#light)'),
    circle(at, radius, palette.light),
    ...(palette.isNight
      ? [
          circle(
            [at[0] - radius * 0.3, at[1] + radius * 0.2],
            radius * 0.22,
            mix(palette.light, '#8a8a8a', 0.18),
          ),
        ]
      : []),
  ].join('')
}

interface Ridge {
  /** Distance from the top and height of the waves, as shares of the canvas height. */
  level: number
  rise: number
  roughness: number
  stretch: number
}

function ridge(
  random: Random,
  { width, height }: Canvas,
  { level, rise, roughness, stretch }: Ridge,
) {
  const wave = waves(random, roughness)
  return Array.from({ length: 121 }, (_, i): Point => {
    const along = i / 120
    const y = level + wave(along * stretch * (width / height)) * rise
    return [along * width, y * height]
  })
}

function ground(points: readonly Point[], { width, height }: Canvas): Point[] {
  return [...points, [width, height], [0, height]]
}

export const hills: Drawing = (random, canvas, palette) => {
  const layers = 6
  const mist = mix(palette.sky.at(-1) as string, '#ffffff', palette.isNight ? 0 : 0.15)
  return svg(
    canvas,
    sky(random, canvas, palette, 0.24 + random.next() * 0.16),
    `<defs>${fade('mist', mist, 0, 0.5)}</defs>`,
    ...Array.from({ length: layers }, (_, i) => {
      const depth = i / (layers - 1)
      const level = 0.46 + 0.44 * depth ** 1.1
      const form = {
        level,
        rise: 0.1 - depth * 0.045,
        roughness: 0.52 - depth * 0.12,
        stretch: 2.6,
      }
      const points = ground(ridge(random, canvas, form), canvas)
      const colour = mix(palette.far, palette.near, depth)
      const veil = i < layers - 1 ? polygon(points, 'url(#mist)') : ''
      return polygon(points, colour) + veil
    }),
  )
}

export const woods: Drawing = (random, canvas, palette) => {
  const { width, height } = canvas
  const layers = 4
  return svg(
    canvas,
    sky(random, canvas, palette, 0.22 + random.next() * 0.12),
    polygon(
      ground(ridge(random, canvas, { level: 0.5, rise: 0.14, roughness: 0.6, stretch: 3 }), canvas),
      mix(palette.sky.at(-1) as string, palette.far, 0.7),
    ),
    ...Array.from({ length: layers }, (_, i) => {
      const depth = (i + 1) / layers
      const form = { level: 0.58 + 0.3 * depth, rise: 0.04, roughness: 0.45, stretch: 2 }
      const points = ridge(random, canvas, form)
      const colour = mix(palette.far, palette.near, depth)
      const tall = height * (0.05 + 0.13 * depth ** 1.5)
      const count = Math.round((width / tall) * 4)
      const trees = Array.from({ length: count }, () => {
        const [x, y] = points[random.integer(0, points.length - 1)] as Point
        const size = tall * (0.55 + random.next() * 0.6)
        return pine([x + (random.next() - 0.5) * (width / 120), y + size * 0.12], size, colour)
      })
      return polygon(ground(points, canvas), colour) + trees.join('')
    }),
  )
}

function pine([x, y]: Point, size: number, colour: string): string {
  const half = size * 0.21
  const steps = [0, 0.28, 0.52].map((from, at) => {
    const wide = half * (1 - at * 0.25)
    return polygon(
      [
        [x - wide, y - size * from],
        [x + wide, y - size * from],
        [x, y - size * (from + 0.48)],
      ],
      colour,
    )
  })
  return steps.join('')
}

export const sea: Drawing = (random, canvas, palette) => {
  const { width, height } = canvas
  const horizon = 0.52 + random.next() * 0.08
  const top = horizon * height
  const deep = mix(palette.near, palette.sky[0] as string, 0.35)
  const shine = mix(palette.sky.at(-1) as string, deep, 0.35)
  const glitter = Array.from({ length: 90 }, () => {
    const near = random.next() ** 1.3
    const y = top + near * (height - top)
    const long = width * (0.01 + 0.1 * near) * (0.4 + random.next())
    const x = width * (0.5 + (random.next() - 0.5) * (0.25 + 0.9 * near))
    const more = `fill-opacity="${(0.1 + random.next() * 0.35).toFixed(2)}"`
    return `<ellipse cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" rx="${long.toFixed(1)}" ry="${(1 + near * 3).toFixed(1)}" fill="${palette.light}" ${more}/>`
  })
  const island = ridge(random, canvas, {
    level: horizon - 0.015,
    rise: 0.05,
    roughness: 0.5,
    stretch: 2,
  })
  const shore = island.map(([x, y]): Point => [x, Math.min(y, top + 1)])
  return svg(
    canvas,
    sky(random, canvas, palette, horizon - 0.16 - random.next() * 0.12),
    `<defs>${gradient('sea', [shine, deep, palette.near])}</defs>`,
    polygon([...shore, [width, top], [0, top]], mix(palette.far, palette.near, 0.25)),
    rect(0, top, width, height - top, 'url(#sea)'),
    ...glitter,
    boat(
      [width * (0.2 + random.next() * 0.6), top + (height - top) * 0.32],
      height * 0.09,
      palette,
    ),
  )
}

function boat([x, y]: Point, size: number, palette: Palette): string {
  const sail = mix(palette.light, '#ffffff', 0.4)
  return [
    polygon(
      [
        [x, y - size * 0.08],
        [x, y - size],
        [x + size * 0.5, y - size * 0.08],
      ],
      sail,
    ),
    polygon(
      [
        [x - size * 0.05, y - size * 0.08],
        [x - size * 0.05, y - size * 0.8],
        [x - size * 0.38, y - size * 0.08],
      ],
      mix(sail, palette.far, 0.3),
    ),
    path(
      `M${x - size * 0.5} ${y}H${x + size * 0.6}L${x + size * 0.42} ${y + size * 0.16}H${x - size * 0.36}Z`,
      `fill="${palette.near}"`,
    ),
  ].join('')
}

/** Always draws a night scene. A day palette is replaced. */
export const city: Drawing = (random, canvas, palette) => {
  const night = palette.isNight
    ? palette
    : (NIGHTS[random.integer(0, NIGHTS.length - 1)] as Palette)
  const { width, height } = canvas
  const bank = height * 0.8
  const layers = 3
  const rows = Array.from({ length: layers }, (_, i) => {
    const depth = i / (layers - 1)
    return skyline(random, canvas, night, { depth, bank })
  })
  const reflections = Array.from({ length: 46 }, () => {
    const x = width * random.next()
    const long = (height - bank) * (0.25 + random.next() * 0.7)
    const colour = random.pick(night.accents)
    return `<rect x="${x.toFixed(1)}" y="${bank.toFixed(1)}" width="${(2 + random.next() * 5).toFixed(1)}" height="${long.toFixed(1)}" fill="${colour}" fill-opacity="${(0.12 + random.next() * 0.3).toFixed(2)}"/>`
  })
  return svg(
    canvas,
    sky(random, canvas, night, 0.16 + random.next() * 0.14),
    ...rows,
    `<defs>${gradient('river', [mix(night.near, night.far, 0.5), night.near])}</defs>`,
    rect(0, bank, width, height - bank, 'url(#river)'),
    ...reflections,
  )
}

function skyline(
  random: Random,
  { width, height }: Canvas,
  palette: Palette,
  { depth, bank }: { depth: number; bank: number },
): string {
  const colour = mix(palette.far, palette.near, 0.25 + depth * 0.75)
  const unit = Math.min(width, height)
  const houses: string[] = []
  for (let x = -unit * 0.02; x < width; ) {
    const wide = unit * (0.05 + random.next() * (0.05 + 0.05 * depth))
    const tall = height * (0.14 + 0.34 * random.next() ** 1.8) * (1.25 - depth * 0.5)
    houses.push(rect(x, bank - tall, wide, tall + 1, colour))
    if (random.chance(0.25)) {
      houses.push(rect(x + wide * 0.46, bank - tall * 1.14, wide * 0.06, tall * 0.15, colour))
    }
    if (depth > 0) houses.push(windows(random, { x, y: bank - tall, wide, tall }, palette, depth))
    x += wide + unit * 0.006 * random.integer(0, 3)
  }
  return houses.join('')
}

function windows(
  random: Random,
  { x, y, wide, tall }: { x: number; y: number; wide: number; tall: number },
  palette: Palette,
  depth: number,
): string {
  const step = 9 + depth * 6
  const size = step * 0.45
  const lit: string[] = []
  for (let row = y + step; row < y + tall - step; row += step * 1.3) {
    for (let at = x + step * 0.6; at < x + wide - size; at += step) {
      if (!random.chance(0.32)) continue
      const colour = random.chance(0.82)
        ? (palette.accents[0] as string)
        : random.pick(palette.accents)
      const strength = (0.45 + random.next() * 0.5).toFixed(2)
      lit.push(
        `<rect x="${at.toFixed(1)}" y="${row.toFixed(1)}" width="${size}" height="${size * 1.3}" fill="${colour}" fill-opacity="${strength}"/>`,
      )
    }
  }
  return lit.join('')
}

export const northernLights: Drawing = (random, canvas, palette) => {
  const night = palette.isNight
    ? palette
    : (NIGHTS[random.integer(0, NIGHTS.length - 1)] as Palette)
  const { width, height } = canvas
  const bands = Array.from({ length: 3 }, (_, band) => {
    const wave = waves(random, 0.5)
    const colour = night.accents[(band * 2 + 1) % night.accents.length] as string
    const rays = Array.from({ length: 110 }, (_unused, i) => {
      const along = i / 109
      const foot = height * (0.3 + band * 0.1 + wave(along * 5) * 0.13)
      const tall = height * (0.2 + 0.16 * Math.abs(wave(along * 21 + 3)))
      const strength = (0.14 + 0.26 * Math.abs(wave(along * 33 + 9))).toFixed(2)
      return `<rect x="${(along * width - width / 160).toFixed(1)}" y="${(foot - tall).toFixed(1)}" width="${(width / 55).toFixed(1)}" height="${tall.toFixed(1)}" fill="url(#ray${band})" fill-opacity="${strength}"/>`
    })
    return `<defs>${fade(`ray${band}`, colour, 0, 0.5, 1, 0)}</defs>${rays.join('')}`
  })
  const peaks = [0, 1, 2].map((i) => {
    const form = { level: 0.68 + i * 0.11, rise: 0.13 - i * 0.03, roughness: 0.62, stretch: 3.2 }
    const points = ridge(random, canvas, form)
    const snow = i === 0 ? polygon(ground(points, canvas), 'url(#snow)') : ''
    return polygon(ground(points, canvas), mix(night.far, night.near, 0.2 + i * 0.4)) + snow
  })
  return svg(
    canvas,
    `<defs>${fade('snow', '#f4fbff', 0.55, 0)}</defs>`,
    sky(random, canvas, night, 0.12),
    ...bands,
    ...peaks,
  )
}

export const dunes: Drawing = (random, canvas, palette) => {
  const { width, height } = canvas
  const layers = 5
  return svg(
    canvas,
    sky(random, canvas, palette, 0.2 + random.next() * 0.15),
    ...Array.from({ length: layers }, (_, i) => {
      const depth = i / (layers - 1)
      const level = 0.48 + depth * 0.36
      const steps = 4 + random.integer(0, 2)
      const points = Array.from({ length: steps + 1 }, (_unused, at): Point => {
        const side = at % 2 === i % 2 ? 1 : -1
        return [(at / steps) * width, height * (level + side * (0.03 + random.next() * 0.035))]
      })
      const colour = mix(palette.far, palette.near, depth * 0.9)
      const edge = `${smooth(points)}V${height}H0Z`
      return (
        `<defs>${gradient(`dune${i}`, [mix(colour, palette.light, 0.28), colour, mix(colour, palette.near, 0.35)], { x2: 0.5, y2: 1 })}</defs>` +
        path(edge, `fill="url(#dune${i})"`)
      )
    }),
  )
}
