import type { Media } from '#sdk'

/** Aspect ratio of a slide (width / height). */
const BOX = 9 / 16
/** Maximum share of a picture that `cover` may cut off. */
const CUT = 0.14

/** Returns `cover` if it cuts off little of the picture, otherwise `contain`. */
export function fitOf({ width, height }: Pick<Media, 'width' | 'height'>): 'cover' | 'contain' {
  if (!width || !height) return 'contain'
  return Math.abs(width / height / BOX - 1) <= CUT ? 'cover' : 'contain'
}
