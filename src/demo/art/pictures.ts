import { seeded, times } from '../random.ts'
import { PALETTES, type Palette } from './palettes.ts'
import { creatures, flowers, lines, ribbons, sunrise, tiles } from './patterns.ts'
import { city, hills, northernLights, sea } from './scenes.ts'
import type { Style } from './sketch.ts'
import { picture } from './svg.ts'

export interface Picture {
  svg: string
  isUpright: boolean
}

const SEED = 404
const BY_NIGHT: readonly Style[] = [city, northernLights]
const NIGHTS = PALETTES.filter(({ isNight }) => isNight)
const SCENES = [hills, city, sea, northernLights, sunrise]
const PATTERNS = [tiles, flowers, lines, ribbons, creatures]
const STYLES = SCENES.flatMap((scene, i) => [scene, PATTERNS[i] as Style])

/** Draws 36 landscape and 24 portrait pictures, the same at every call. */
export function drawPictures(): Picture[] {
  const random = seeded(SEED)
  return times(60, (i) => {
    const isUpright = i >= 36
    const [width, height] = isUpright ? [900, 1600] : [1280, 720]
    const style = STYLES[i % STYLES.length] as Style
    const palettes = BY_NIGHT.includes(style) ? NIGHTS : PALETTES
    // Gives each style a different palette each time.
    const palette = palettes[(i * 7 + Math.floor(i / STYLES.length)) % palettes.length] as Palette
    const parts = style({ ...palette, random, width, height, unit: Math.min(width, height) })
    return { svg: picture(width, height, ...parts), isUpright }
  })
}
