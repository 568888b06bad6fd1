/** Collects all pictures of the demo. */
import { seeded } from '../random.ts'
import { facets, lights, orbits, ribbons, sunrise, tiles } from './abstracts.ts'
import { PALETTES, type Palette } from './palettes.ts'
import { city, type Drawing, dunes, hills, northernLights, sea, woods } from './scenes.ts'
import type { Canvas } from './svg.ts'

export interface Picture extends Canvas {
  svg: string
}

const SEED = 404

const LANDSCAPE: Canvas = { width: 1280, height: 720 }
const PORTRAIT: Canvas = { width: 900, height: 1600 }
const SCENES: readonly Drawing[] = [hills, city, sea, woods, northernLights, dunes]
const ABSTRACTS: readonly Drawing[] = [tiles, ribbons, lights, facets, sunrise, orbits]
const ALL = [...SCENES, ...ABSTRACTS]

/** Draws 36 landscape and 24 portrait pictures, the same at every call. */
export function drawGallery(): Picture[] {
  const random = seeded(SEED)
  let turn = 0
  const draw = (canvas: Canvas) => (drawing: Drawing) => {
    const palette = PALETTES[turn++ % PALETTES.length] as Palette
    return { ...canvas, svg: drawing(random, canvas, palette) }
  }
  return [...[...ALL, ...ALL, ...ALL].map(draw(LANDSCAPE)), ...[...ALL, ...ALL].map(draw(PORTRAIT))]
}
