import type { Media } from '#sdk'

/** Aspect ratio of a slide, width by height. */
const BOX = 9 / 16
/** Maximum share of a picture that may be cut off. */
const CUT = 0.14

/** Returns `cover` if that cuts off little, otherwise `contain`. */
export function fitOf({ width, height }: Pick<Media, 'width' | 'height'>): 'cover' | 'contain' {
  if (!width || !height) return 'contain'
  return Math.abs(width / height / BOX - 1) <= CUT ? 'cover' : 'contain'
}
