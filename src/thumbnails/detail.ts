import { openPicture } from '../pictures/libvips.ts'

/** Entropy in bits below which a picture counts as blank: one colour with at most a few specks. */
const NOTHING = 0.01

/** Measures how much a picture shows: the entropy of its brightness in bits. 0 when it is blank. */
export async function readDetail(source: string | Buffer): Promise<number> {
  const picture = await openPicture(source)
  const { entropy } = await picture.stats()
  return entropy < NOTHING ? 0 : entropy
}
