import { type Random, times } from '../random.ts'
import type { Palette } from './palettes.ts'
import { gradient, rect } from './svg.ts'

export interface Sketch extends Palette {
  random: Random
  width: number
  height: number
  unit: number
}

export type Style = (sketch: Sketch) => string[]

export function ground({ width, height }: Sketch, colours: readonly string[], x2 = 0): string {
  return gradient('ground', colours, x2) + rect(0, 0, width, height, 'url(#ground)')
}

/**
 * Returns a function that maps a position to a ridge line's height between -1 and 1. The ridge line is a sum of
 * waves. A greater `roughness` makes the short waves higher.
 */
export function waves(random: Random, roughness: number): (along: number) => number {
  const parts = times(6, (octave) => {
    const pace = (1.2 + random.next()) * 1.9 ** octave
    return { pace, phase: random.next() * Math.PI * 2, share: roughness ** octave }
  })
  const sum = parts.reduce((total, { share }) => total + share, 0)
  return (along) =>
    parts.reduce((y, { pace, phase, share }) => y + Math.sin(along * pace + phase) * share, 0) / sum
}
