import { times } from '../random.ts'
import { ground, type Sketch, type Style, waves } from './sketch.ts'
import { circle, fade, glow, gradient, mix, type Point, polygon, rect, svg } from './svg.ts'

/**
 * Draws the sky with the sun, or the moon and stars. `low` is the light's distance from the top, as a fraction
 * of the height.
 */
function skyOf(sketch: Sketch, low: number): string {
  const { random, width, height, unit, sky, light, isNight } = sketch
  const [x, y] = [width * (0.22 + random.next() * 0.56), height * low]
  const radius = unit * (isNight ? 0.055 : 0.08)
  const stars = times(isNight ? 120 : 0, () => {
    const position: Point = [width * random.next(), height * 0.75 * random.next() ** 1.4]
    const size = unit * (0.0008 + 0.002 * random.next() ** 3)
    return circle(...position, size, '#ffffff', svg`fill-opacity="${0.35 + random.next() * 0.65}"`)
  })
  const sun = glow('light', light) + circle(x, y, radius * 5, 'url(#light)')
  return ground(sketch, sky) + stars.join('') + sun + circle(x, y, radius, light)
}

/**
 * Draws land below a ridge line. `level` is the middle of the line, measured from the top, and `rise` the greatest
 * deviation from it. Both are fractions of the picture's height.
 */
function land(sketch: Sketch, level: number, rise: number, fill: string, rough = 0.5): string {
  const { random, width, height } = sketch
  const wave = waves(random, rough)
  const levelAt = (along: number) => height * (level + wave(along * 3) * rise)
  const edge = times(80, (_, along): Point => [along * width, levelAt(along)])
  return polygon([...edge, [width, height], [0, height]], fill)
}

export const hills: Style = (sketch) => {
  const { random, far, near, light } = sketch
  const layers = times(5, (i, depth) => {
    const colour = mix(far, near, depth)
    const lit = [mix(colour, light, 0.12), mix(colour, light, 0.3 - depth * 0.3)]
    const hill = land(sketch, 0.52 + depth * 0.36, 0.12 - depth * 0.05, `url(#hill${i})`)
    return gradient(`hill${i}`, lit) + hill
  })
  return [skyOf(sketch, 0.26 + random.next() * 0.14), ...layers]
}

export const sea: Style = (sketch) => {
  const { random, width, height, sky, light, far, near } = sketch
  const top = height * (0.52 + random.next() * 0.08)
  const deep = mix(near, sky[0], 0.35)
  const glitter = times(90, () => {
    const close = random.next() ** 1.3
    const x = width * (0.5 + (random.next() - 0.5) * (0.25 + 0.9 * close))
    const long = width * (0.01 + 0.07 * close) * (0.4 + random.next())
    return svg`<ellipse cx="${x}" cy="${top + close * (height - top)}" rx="${long}" ry="${1 + close * 3}" fill="${light}" fill-opacity="${0.1 + random.next() * 0.35}"/>`
  })
  const [x, y] = [width * (0.2 + random.next() * 0.6), top + height * 0.14]
  const boat = svg`<g transform="translate(${x} ${y}) scale(${height * 0.09})">
    <path d="M0-.1V-1L.5-.1Z" fill="#fff"/><path d="M-.05-.1V-.8L-.4-.1Z" fill="${mix(light, far, 0.4)}"/>
    <path d="M-.5 0H.6L.4.16H-.36Z" fill="${near}"/></g>`
  return [
    skyOf(sketch, 0.3 + random.next() * 0.12),
    land(sketch, top / height - 0.01, 0.05, mix(far, near, 0.25)),
    gradient('sea', [mix(sky[2], deep, 0.35), deep, near]),
    rect(0, top, width, height - top, 'url(#sea)'),
    ...glitter,
    boat,
  ]
}

export const city: Style = (sketch) => {
  const { random, width, height, unit, far, near, accents } = sketch
  const bank = height * 0.8
  const rows = times(3, (_, depth) => {
    const houses: string[] = []
    for (let x = -unit * 0.02; x < width; x += unit * (0.07 + random.next() * 0.05)) {
      const wide = unit * (0.05 + random.next() * 0.07)
      const tall = height * (0.14 + 0.34 * random.next() ** 1.8) * (1.25 - depth * 0.5)
      houses.push(rect(x, bank - tall, wide, tall + 1, mix(far, near, 0.25 + depth * 0.75)))
      const step = 9 + depth * 6
      for (let y = bank - tall + step; depth > 0 && y < bank - step; y += step * 1.3) {
        for (let edge = x + step * 0.6; edge < x + wide - step * 0.5; edge += step) {
          const lamp = mix(near, random.chance(0.8) ? accents[0] : random.pick(accents), 0.8)
          if (random.chance(0.32)) houses.push(rect(edge, y, step * 0.45, step * 0.6, lamp))
        }
      }
    }
    return houses.join('')
  })
  const reflections = times(46, () => {
    const [x, wide] = [width * random.next(), 2 + random.next() * 5]
    const long = (height - bank) * (0.25 + random.next() * 0.7)
    return rect(x, bank, wide, long, mix(near, random.pick(accents), 0.3))
  })
  return [
    skyOf(sketch, 0.16 + random.next() * 0.14),
    ...rows,
    gradient('river', [mix(near, far, 0.5), near]),
    rect(0, bank, width, height - bank, 'url(#river)'),
    ...reflections,
  ]
}

export const northernLights: Style = (sketch) => {
  const { random, width, height, far, near, accents } = sketch
  const bands = times(3, (band) => {
    const wave = waves(random, 0.5)
    const rays = times(110, (_, along) => {
      const foot = height * (0.3 + band * 0.1 + wave(along * 5) * 0.13)
      const tall = height * (0.2 + 0.16 * Math.abs(wave(along * 21 + 3)))
      const opacity = 0.14 + 0.26 * Math.abs(wave(along * 33 + 9))
      return svg`<rect x="${along * width}" y="${foot - tall}" width="${width / 55}" height="${tall}" fill="url(#ray${band})" fill-opacity="${opacity}"/>`
    })
    const colour = accents[(band * 2 + 1) % accents.length] as string
    const stops = fade(colour, 0, 0.5, 1, 0)
    return svg`<linearGradient id="ray${band}" x2="0" y2="1">${stops}</linearGradient>${rays}`
  })
  const peaks = times(3, (i, depth) => {
    const colour = mix(mix(far, '#f4fbff', 0.3 - depth * 0.3), near, depth * 0.9)
    return land(sketch, 0.68 + i * 0.11, 0.13 - i * 0.03, colour, 0.62)
  })
  return [skyOf(sketch, 0.12), ...bands, ...peaks]
}
