import type { Media } from '#sdk'

/** Width by height of the box that works stand in. */
const BOX = 9 / 16
/** Of what fills the box, so much may be cut off at most. */
const CUT = 0.14

/** `cover` where that cuts off next to nothing; else the whole of it is seen. */
export function fitOf({ width, height }: Pick<Media, 'width' | 'height'>): 'cover' | 'contain' {
  if (!width || !height) return 'contain'
  return Math.abs(width / height / BOX - 1) <= CUT ? 'cover' : 'contain'
}
