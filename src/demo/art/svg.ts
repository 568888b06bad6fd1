/** Builds SVG pictures without fonts or external resources. */
import type { Random } from '../random.ts'

export interface Canvas {
  width: number
  height: number
}

export type Point = readonly [x: number, y: number]

/** Returns a complete picture. */
export function svg({ width, height }: Canvas, ...parts: string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${parts.join('')}</svg>`
}

export function rect(x: number, y: number, width: number, height: number, fill: string): string {
  return `<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" fill="${fill}"/>`
}

export function circle([x, y]: Point, radius: number, fill: string, more = ''): string {
  return `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="${fill}" ${more}/>`
}

export function polygon(points: readonly Point[], fill: string, more = ''): string {
  return `<polygon points="${points.map(([x, y]) => `${n(x)},${n(y)}`).join(' ')}" fill="${fill}" ${more}/>`
}

export function path(data: string, more: string): string {
  return `<path d="${data}" ${more}/>`
}

/** Returns the path data of a smooth line through the points. */
export function smooth(points: readonly Point[]): string {
  const [first, ...rest] = points as [Point, ...Point[]]
  let before = first
  return rest.reduce(
    (data, point) => {
      const middle = (before[0] + point[0]) / 2
      const [, y0] = before
      const [x, y] = point
      before = point
      return `${data}C${n(middle)} ${n(y0)} ${n(middle)} ${n(y)} ${n(x)} ${n(y)}`
    },
    `M${n(first[0])} ${n(first[1])}`,
  )
}

/** Returns a linear gradient of evenly spaced colours, by default from top to bottom. */
export function gradient(
  id: string,
  colours: readonly string[],
  way: { x2?: number; y2?: number } = {},
): string {
  const { x2 = 0, y2 = 1 } = way
  const last = colours.length - 1
  const stops = colours.map((colour, at) => stop(at / last, colour)).join('')
  return `<linearGradient id="${id}" x1="0" y1="0" x2="${x2}" y2="${y2}">${stops}</linearGradient>`
}

/** Returns a radial gradient that fades outward. */
export function glow(id: string, colour: string, strength = 1): string {
  return `<radialGradient id="${id}">${stop(0, colour, strength)}${stop(0.35, colour, strength * 0.4)}${stop(1, colour, 0)}</radialGradient>`
}

/** Returns a vertical gradient of one colour with evenly spaced opacities. */
export function fade(id: string, colour: string, ...strengths: number[]): string {
  const last = strengths.length - 1
  const stops = strengths.map((strength, at) => stop(at / last, colour, strength)).join('')
  return `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${stops}</linearGradient>`
}

function stop(offset: number, colour: string, opacity = 1): string {
  return `<stop offset="${n(offset)}" stop-color="${colour}" stop-opacity="${n(opacity)}"/>`
}

/** Returns a function for the heights of a ridge, from -1 to 1, as a sum of waves. */
export function waves(random: Random, roughness: number): (along: number) => number {
  const parts = Array.from({ length: 6 }, (_, octave) => ({
    pace: (1.2 + random.next()) * 1.9 ** octave,
    phase: random.next() * Math.PI * 2,
    share: roughness ** octave,
  }))
  const sum = parts.reduce((total, { share }) => total + share, 0)
  return (along) =>
    parts.reduce((y, { pace, phase, share }) => y + Math.sin(along * pace + phase) * share, 0) / sum
}

/** Mixes two colours in the form `#rrggbb`. */
export function mix(one: string, other: string, share: number): string {
  const channels = [1, 3, 5].map((at) => {
    const [from, to] = [one, other].map((colour) => parseInt(colour.slice(at, at + 2), 16))
    return Math.round((from as number) + ((to as number) - (from as number)) * share)
  })
  return `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

/** Formats a number with at most two decimals. */
function n(value: number): string {
  return String(Math.round(value * 100) / 100)
}
