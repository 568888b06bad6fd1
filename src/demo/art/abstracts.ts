/** Draws abstract pictures. */
import type { Palette } from './palettes.ts'
import type { Drawing } from './scenes.ts'
import {
  circle,
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

function ground({ sky, isNight, near }: Palette): string {
  return isNight ? near : mix(sky.at(-1) as string, '#ffffff', 0.35)
}

/** Quarter circles, half circles and circles on a grid. */
export const tiles: Drawing = (random, { width, height }, palette) => {
  const size = Math.min(width, height) / 5
  const colours = [...palette.accents, palette.far, palette.near]
  const cells: string[] = []
  for (let y = 0; y < height; y += size) {
    for (let x = 0; x < width; x += size) {
      const back = random.pick(colours)
      const front = random.pick(colours.filter((colour) => colour !== back))
      cells.push(
        rect(x, y, size + 0.5, size + 0.5, back),
        form(random.integer(0, 4), [x, y], size, front),
      )
    }
  }
  return svg({ width, height }, rect(0, 0, width, height, ground(palette)), ...cells)
}

function form(kind: number, [x, y]: Point, size: number, fill: string): string {
  const half = size / 2
  const [right, low] = [x + size, y + size]
  if (kind === 0) return circle([x + half, y + half], half * 0.72, fill)
  if (kind === 1)
    return path(`M${x} ${y}H${right}A${size} ${size} 0 0 1 ${x} ${low}Z`, `fill="${fill}"`)
  if (kind === 2)
    return path(`M${right} ${low}H${x}A${size} ${size} 0 0 1 ${right} ${y}Z`, `fill="${fill}"`)
  if (kind === 3)
    return path(`M${x} ${low}A${half} ${half} 0 0 1 ${right} ${low}Z`, `fill="${fill}"`)
  return polygon(
    [
      [x, y],
      [right, y],
      [x, low],
    ],
    fill,
  )
}

/** Flowing ribbons. */
export const ribbons: Drawing = (random, { width, height }, palette) => {
  const count = 9
  const colours = [palette.sky[0] as string, ...palette.accents, palette.near]
  const bands = Array.from({ length: count }, (_, i) => {
    const wave = waves(random, 0.42)
    const share = (i / (count - 1)) * (colours.length - 1)
    const one = colours[Math.floor(share)] as string
    const other = colours[Math.min(colours.length - 1, Math.floor(share) + 1)] as string
    const colour = mix(one, other, share % 1)
    const points = Array.from({ length: 9 }, (_unused, at): Point => {
      const along = at / 8
      return [along * width, height * (0.06 + i * 0.105 + wave(along * 4) * 0.13)]
    })
    return (
      `<defs>${gradient(`r${i}`, [colour, mix(colour, palette.near, 0.35)], { x2: 1, y2: 0.6 })}</defs>` +
      path(`${smooth(points)}V${height}H0Z`, `fill="url(#r${i})" fill-opacity="0.94"`)
    )
  })
  return svg(
    { width, height },
    `<defs>${gradient('ground', [palette.light, palette.sky[1] as string])}</defs>`,
    rect(0, 0, width, height, 'url(#ground)'),
    ...bands,
  )
}

/** Soft lights that blend, with a few clear rings. */
export const lights: Drawing = (random, { width, height }, palette) => {
  const unit = Math.min(width, height)
  const colours = [...palette.accents, palette.light]
  const defs = colours.map((colour, at) => glow(`g${at}`, colour, 0.95))
  const blobs = Array.from({ length: 16 }, () => {
    const at: Point = [width * random.next(), height * random.next()]
    return circle(
      at,
      unit * (0.25 + random.next() * 0.4),
      `url(#g${random.integer(0, colours.length - 1)})`,
    )
  })
  const rings = Array.from({ length: 5 }, () => {
    const at: Point = [width * random.next(), height * random.next()]
    const radius = unit * (0.06 + random.next() * 0.22)
    return circle(
      at,
      radius,
      'none',
      `stroke="${palette.light}" stroke-opacity="0.5" stroke-width="${unit * 0.003}"`,
    )
  })
  return svg(
    { width, height },
    `<defs>${gradient('ground', palette.sky, { x2: 0.6, y2: 1 })}${defs.join('')}</defs>`,
    rect(0, 0, width, height, 'url(#ground)'),
    ...blobs,
    ...rings,
  )
}

/** Crystal facets. */
export const facets: Drawing = (random, { width, height }, palette) => {
  const size = Math.min(width, height) / 7
  const [columns, rows] = [Math.ceil(width / size) + 2, Math.ceil(height / size) + 2]
  const points = Array.from({ length: rows * columns }, (_, i): Point => {
    const [column, row] = [i % columns, Math.floor(i / columns)]
    const shift = () => (random.next() - 0.5) * size * 0.75
    return [(column - 0.5 + (row % 2) * 0.5) * size + shift(), (row - 0.5) * size + shift()]
  })
  const colours = [palette.sky[0], ...palette.sky, palette.far, palette.accents[0]] as string[]
  const at = (column: number, row: number) => points[row * columns + column] as Point
  const faces: string[] = []
  for (let row = 0; row < rows - 1; row++) {
    for (let column = 0; column < columns - 1; column++) {
      const corners = [
        at(column, row),
        at(column + 1, row),
        at(column, row + 1),
        at(column + 1, row + 1),
      ]
      const [a, b, c, d] = corners as [Point, Point, Point, Point]
      for (const face of row % 2 === 0
        ? [
            [a, b, c],
            [b, d, c],
          ]
        : [
            [a, b, d],
            [a, d, c],
          ]) {
        const y = face.reduce((sum, [, value]) => sum + value, 0) / 3 / height
        const share =
          Math.min(0.999, Math.max(0, y + (random.next() - 0.5) * 0.25)) * (colours.length - 1)
        const base = mix(
          colours[Math.floor(share)] as string,
          colours[Math.floor(share) + 1] as string,
          share % 1,
        )
        const colour = mix(
          base,
          random.chance(0.5) ? palette.light : palette.near,
          random.next() * 0.22,
        )
        faces.push(polygon(face, colour, `stroke="${colour}" stroke-width="0.8"`))
      }
    }
  }
  return svg({ width, height }, rect(0, 0, width, height, colours[0] as string), ...faces)
}

/** Rays behind a striped disc, above a plain in perspective. */
export const sunrise: Drawing = (random, { width, height }, palette) => {
  const unit = Math.min(width, height)
  const horizon = height * 0.62
  const centre: Point = [width * (0.4 + random.next() * 0.2), horizon - unit * 0.12]
  const rays = Array.from({ length: 18 }, (_, i) => {
    const [from, to] = [i, i + 0.5].map((turn) => (turn / 18) * Math.PI * 2)
    const far = width + height
    const end = (angle = 0): Point => [
      centre[0] + Math.cos(angle) * far,
      centre[1] + Math.sin(angle) * far,
    ]
    return polygon([centre, end(from), end(to)], palette.light, 'fill-opacity="0.13"')
  })
  const stripes = Array.from({ length: 6 }, (_, i) => {
    const y = centre[1] + unit * (0.02 + i * 0.042)
    return rect(0, y, width, unit * 0.004 * (i + 1), 'url(#sky)')
  })
  const lines = Array.from({ length: 25 }, (_, i) => {
    const x = (i / 24 - 0.5) * width * 5 + width / 2
    return path(
      `M${width / 2 + (i / 24 - 0.5) * width * 1.1} ${horizon}L${x} ${height}`,
      lineOf(palette, unit),
    )
  })
  const across = Array.from({ length: 9 }, (_, i) => {
    const y = horizon + (height - horizon) * (i / 8) ** 2.2
    return path(`M0 ${y}H${width}`, lineOf(palette, unit))
  })
  return svg(
    { width, height },
    `<defs>${gradient('sky', palette.sky)}${gradient('disc', [palette.light, palette.accents[0] as string, palette.accents[2] as string])}</defs>`,
    rect(0, 0, width, height, 'url(#sky)'),
    ...rays,
    circle(centre, unit * 0.27, 'url(#disc)'),
    ...stripes,
    rect(0, horizon, width, height - horizon, palette.near),
    ...lines,
    ...across,
  )
}

function lineOf(palette: Palette, unit: number): string {
  return `stroke="${palette.accents[1]}" stroke-opacity="0.55" stroke-width="${unit * 0.0025}" fill="none"`
}

/** Planets on orbits around a sun. */
export const orbits: Drawing = (random, { width, height }, palette) => {
  const unit = Math.min(width, height)
  const centre: Point = [width * (0.3 + random.next() * 0.4), height * (0.35 + random.next() * 0.3)]
  const line = palette.isNight ? palette.light : palette.near
  const ways = Array.from({ length: 8 }, (_, i) => {
    const radius = unit * (0.16 + i * 0.105)
    const angle = random.next() * Math.PI * 2
    const at: Point = [centre[0] + Math.cos(angle) * radius, centre[1] + Math.sin(angle) * radius]
    const size = unit * (0.014 + random.next() * 0.05)
    const colour = random.pick(palette.accents)
    return [
      circle(
        centre,
        radius,
        'none',
        `stroke="${line}" stroke-opacity="0.35" stroke-width="${unit * 0.0022}"`,
      ),
      circle(at, size, colour),
      path(
        `M${at[0]} ${at[1] - size}A${size} ${size} 0 0 1 ${at[0]} ${at[1] + size}Z`,
        `fill="${mix(colour, palette.near, 0.3)}"`,
      ),
    ].join('')
  })
  return svg(
    { width, height },
    `<defs>${glow('sun', palette.light, 1)}${gradient('ground', palette.sky, { x2: 1, y2: 1 })}</defs>`,
    rect(0, 0, width, height, 'url(#ground)'),
    circle(centre, unit * 0.5, 'url(#sun)'),
    circle(centre, unit * 0.085, palette.accents[0] as string),
    ...ways,
  )
}
