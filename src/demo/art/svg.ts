type Part = string | number | readonly Part[]
export type Point = readonly [x: number, y: number]

/** Template tag for SVG: rounds numbers to hundredths and joins lists with spaces. */
export function svg(texts: TemplateStringsArray, ...parts: Part[]): string {
  return String.raw({ raw: texts }, ...parts.map(toText))
}

function toText(part: Part): string {
  if (typeof part === 'number') return String(Math.round(part * 100) / 100)
  return typeof part === 'string' ? part : part.map(toText).join(' ')
}

export function picture(width: number, height: number, ...parts: Part[]): string {
  return svg`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${parts}</svg>`
}

export function rect(x: number, y: number, width: number, height: number, fill: string): string {
  return svg`<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`
}

export function circle(x: number, y: number, radius: number, fill: string, more = ''): string {
  return svg`<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}" ${more}/>`
}

export function polygon(points: readonly Point[], fill: string, more = ''): string {
  return svg`<polygon points="${points}" fill="${fill}" ${more}/>`
}

export function line(colour: string, width: number, opacity = 1): string {
  return svg`stroke="${colour}" stroke-width="${width}" stroke-opacity="${opacity}" stroke-linecap="round"`
}

export function smooth(points: readonly Point[]): string {
  return points.reduce((data, [x, y], i) => {
    const [x0, y0] = points[i - 1] ?? [x, y]
    const middle = (x0 + x) / 2
    return data + (i === 0 ? svg`M${x} ${y}` : svg`C${middle} ${y0} ${middle} ${y} ${x} ${y}`)
  }, '')
}

/**
 * Returns a linear gradient with evenly spaced colours. It runs from top to bottom, or with `x2` 1 from the top left
 * to the bottom right.
 */
export function gradient(id: string, colours: readonly string[], x2 = 0): string {
  const stops = colours.map(
    (colour, i) => svg`<stop offset="${i / (colours.length - 1)}" stop-color="${colour}"/>`,
  )
  return svg`<linearGradient id="${id}" x1="0" y1="0" x2="${x2}" y2="1">${stops}</linearGradient>`
}

export function fade(colour: string, ...opacities: number[]): string {
  const stop = svg`<stop stop-color="${colour}" `
  const last = opacities.length - 1
  return svg`${opacities.map((opacity, i) => svg`${stop} stop-opacity="${opacity}" offset="${i / last}"/>`)}`
}

export function glow(id: string, colour: string): string {
  return svg`<radialGradient id="${id}">${fade(colour, 0.9, 0.4, 0.2, 0)}</radialGradient>`
}

/** Mixes two colours of the form `#rrggbb`. `share` is the fraction of the second colour, `right`. */
export function mix(left: string, right: string, share: number): string {
  const channels = [1, 3, 5].map((start) => {
    const [from, to] = [left, right].map((colour) => parseInt(colour.slice(start, start + 2), 16))
    const value = Math.round((from as number) + ((to as number) - (from as number)) * share)
    return value.toString(16).padStart(2, '0')
  })
  return `#${channels.join('')}`
}
