import { shuffled, times } from '../random.ts'
import { ground, type Style, waves } from './sketch.ts'
import { circle, gradient, line, mix, type Point, polygon, rect, smooth, svg } from './svg.ts'

export const tiles: Style = ({ random, width, height, unit, accents, far, near }) => {
  const size = unit / 5
  const columns = Math.ceil(width / size)
  const circled = 'M.14.5A.36.36 0 0 1 .86.5A.36.36 0 0 1 .14.5Z'
  const round = ['M0 0H1A1 1 0 0 1 0 1Z', 'M1 1H0A1 1 0 0 1 1 0Z', 'M0 1A.5.5 0 0 1 1 1Z']
  const forms = [...round, circled, 'M0 0H1L0 1Z']
  return times(columns * Math.ceil(height / size), (i) => {
    const [back, front] = shuffled(random, [...accents, far, near]) as [string, string]
    return svg`<g transform="translate(${(i % columns) * size} ${Math.floor(i / columns) * size}) scale(${size})">
      ${rect(0, 0, 1.01, 1.01, back)}<path d="${random.pick(forms)}" fill="${front}"/></g>`
  })
}

export const ribbons: Style = (sketch) => {
  const { random, width, height, sky, light, near, accents } = sketch
  const bands = times(9, (i) => {
    const wave = waves(random, 0.42)
    const levelAt = (along: number) => height * (0.06 + i * 0.105 + wave(along * 4) * 0.13)
    const points = times(9, (_, along): Point => [along * width, levelAt(along)])
    const colour = accents[i % accents.length] as string
    return svg`${gradient(`r${i}`, [colour, mix(colour, near, 0.35)], 1)}<path d="${smooth(points)}V${height}H0Z" fill="url(#r${i})"/>`
  })
  return [ground(sketch, [light, sky[1]]), ...bands]
}

export const sunrise: Style = (sketch) => {
  const { random, width, height, unit, sky, light, near, accents } = sketch
  const horizon = height * 0.62
  const [x, y] = [width * (0.4 + random.next() * 0.2), horizon - unit * 0.12]
  const end = (turn: number): Point => [x + Math.cos(turn) * 3000, y + Math.sin(turn) * 3000]
  const rays = times(18, (i) =>
    polygon([[x, y], end(i * 0.349), end(i * 0.349 + 0.175)], light, 'fill-opacity="0.13"'),
  )
  const stripes = times(6, (i) =>
    rect(0, y + unit * (0.02 + i * 0.042), width, unit * 0.004 * (i + 1), 'url(#ground)'),
  )
  const lines = times(25, (i, share) => {
    const level = horizon + (height - horizon) * share ** 2.2
    const side = width * (share - 0.5)
    return svg`M${width / 2 + side * 1.1} ${horizon}L${width / 2 + side * 5} ${height}${i % 3 === 0 ? svg`M0 ${level}H${width}` : ''}`
  })
  return [
    ground(sketch, sky),
    ...rays,
    gradient('disc', [light, accents[0], accents[2]]) + circle(x, y, unit * 0.27, 'url(#disc)'),
    ...stripes,
    rect(0, horizon, width, height - horizon, near),
    svg`<path d="${lines}" fill="none" ${line(accents[1], unit * 0.0025, 0.55)}/>`,
  ]
}

export const lines: Style = ({ random, width, height, unit, light, near, accents, isNight }) => {
  const [paper, ink] = isNight ? [near, light] : [light, near]
  return [
    rect(0, 0, width, height, paper),
    ...times(30, (_, depth) => {
      const wave = waves(random, 0.7)
      const points = times(60, (_i, along): Point => {
        const swell = Math.max(0, wave(along * 9) + 0.35) * Math.sin(along * Math.PI) ** 4
        return [width * (0.1 + along * 0.8), height * (0.22 + depth * 0.66 - swell * 0.2)]
      })
      const colour = random.chance(0.12) ? accents[1] : ink
      return svg`<path d="${smooth(points)}" fill="${paper}" stroke="${colour}" stroke-width="${unit * 0.0035}"/>`
    }),
  ]
}

export const flowers: Style = (sketch) => {
  const { random, width, height, unit, sky, light, near, accents, isNight } = sketch
  const stems = times(Math.round((width / unit) * 9), (_, along) => {
    const [x, y] = [width * (along * 1.04 - 0.02), height * (0.22 + random.next() * 0.5)]
    const [size, turn] = [unit * (0.05 + random.next() * 0.07), 360 / random.integer(5, 9)]
    const [colour, low] = [random.pick(accents), (height - y) / size]
    const petals = times(Math.round(360 / turn), (i) => {
      const fill = mix(colour, light, (i % 2) * 0.2)
      return svg`<ellipse cy="-1" rx=".42" ry=".8" transform="rotate(${turn * i})" fill="${fill}"/>`
    })
    return svg`<g transform="translate(${x} ${y}) scale(${size})">
      <path d="M0 0Q1 ${low / 2} 0 ${low}" fill="none" ${line(near, (unit * 0.008) / size)}/>
      <ellipse rx="1.1" ry=".35" transform="translate(1 ${low / 2}) rotate(-30)" fill="${near}"/>
      ${petals}${circle(0, 0, 0.45, mix(accents[3], '#ffd166', 0.6))}</g>`
  })
  return [ground(sketch, isNight ? sky : [mix(sky[1], '#ffffff', 0.6), sky[2]]), ...stems]
}

export const creatures: Style = ({ random, width, height, unit, near, accents }) => {
  const size = (unit / 40) * 11
  const [columns, rows] = [Math.floor(width / size), Math.floor(height / size)]
  const [left, top] = [(width - columns * size) / 2, (height - rows * size) / 2]
  const herd = times(columns * rows, (i) => {
    const pixels = times(32, (n) => {
      const [column, row] = [n % 4, n >> 2]
      const isEye = row === 3 && column === 2
      if (isEye || !random.chance(column > 1 ? 0.85 : 0.5)) return ''
      return svg`M${column + 1.5} ${row + 1.5}h1v1h-1zM${8.5 - column} ${row + 1.5}h1v1h-1z`
    })
    const [x, y] = [left + (i % columns) * size, top + Math.floor(i / columns) * size]
    return svg`<path transform="translate(${x} ${y}) scale(${size / 11})" d="${pixels}" fill="${random.pick(accents)}"/>`
  })
  return [rect(0, 0, width, height, near), ...herd]
}
