import { openPicture } from '../pictures/libvips.ts'

/** Entropy in bits: one colour with a few specks at most. */
const BLANK_MAX = 0.01

/**
 * Returns the picture's brightness entropy in bits, which grows with its amount of detail. Returns 0 for a
 * blank picture.
 */
export async function readDetail(source: string | Buffer): Promise<number> {
  const picture = await openPicture(source)
  const { entropy } = await picture.stats()
  return entropy < BLANK_MAX ? 0 : entropy
}
